import { cardDigits, signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AcquirerService } from '../support/acquirer-service.ts';
import { CARD_NUMBER, PAYER_EMAIL, saleFields, transactionHash } from '../support/card-commands.ts';
import { type Fields, refusalLines, sendCommand, toldCommand } from '../support/commands.ts';
import { merchant } from '../support/service.ts';
import { appleToken, CRYPTOGRAM, googleToken, walletService } from '../support/wallet-service.ts';

let service: AcquirerService;
let virtual: AcquirerService;

beforeAll(async () => {
  [service, virtual] = await Promise.all([
    walletService(),
    walletService({ methods: [{ key: 'google-pay', mid: 'plain' }] }),
  ]);
});

afterAll(() => Promise.all([service.stop(), virtual.stop()]));

const NO_CARD: Fields = { card_number: '', card_exp_month: '', card_exp_year: '', card_cvv2: '' };

/** A sale of 10.00 USD by a wallet, signed without a card (reference: Signatures of S2S CARD, F8). */
const byWallet = (digital_wallet: string, payment_token: string, change: Fields = {}): Fields =>
  saleFields({ ...NO_CARD, order_amount: '10.00', digital_wallet, payment_token, ...change });

/** Apple's token itself, as a merchant's server has it, without the payment that a browser's session puts around it. */
const bareAppleToken = (): string => JSON.stringify(JSON.parse(appleToken()).token);

const send = (fields: Fields, { url }: { readonly url: string } = service) => sendCommand(url, fields);
const NOT_VALID = ['payment_token: This value is not valid.'];

describe('a sale by a wallet', () => {
  test.each([
    ['applepay', 'the token of the page', () => appleToken(), 'dpan'],
    ['applepay', 'the bare token', bareAppleToken, 'dpan'],
    ['googlepay', 'a cryptogram', () => googleToken(), 'dpan'],
    ['googlepay', 'a number alone', () => googleToken({ panOnly: true }), 'fpan'],
  ])('%s with %s is paid with its card', async (kind, _what, token, pan_type) => {
    const fields = byWallet(kind, token());
    const { status, json } = await send(fields);
    const paid = { result: 'SUCCESS', status: 'SETTLED', amount: '10.00', digital_wallet: kind, pan_type };
    expect([status, json]).toMatchObject([200, { action: 'SALE', ...paid }]);
    const callback = await toldCommand(service.shop, fields['order_id'], 'SETTLED');
    expect(callback).toMatchObject({ digital_wallet: kind, pan_type, card: '411111******1111' });
    expect(callback['hash']).toBe(transactionHash(String(json['trans_id'])));
    const asked = service.asked.at(-1);
    expect(asked?.url).toMatch(/\/sales$/);
    expect(asked?.body).toContain(CARD_NUMBER);
    expect(asked?.body?.includes(CRYPTOGRAM)).toBe(pan_type === 'dpan');
  });

  test('is held with auth=Y, and captured by a hash over the card of its token', async () => {
    const { json } = await send(byWallet('applepay', appleToken(), { auth: 'Y' }));
    expect(json).toMatchObject({ result: 'SUCCESS', status: 'PENDING', digital_wallet: 'applepay' });
    const trans_id = String(json['trans_id']);
    const covered = { payer_email: PAYER_EMAIL, trans_id, card: cardDigits(CARD_NUMBER) };
    const hash = signCommand('card_transaction', covered, merchant.password);
    const captured = await send({ action: 'CAPTURE', client_key: merchant.key, trans_id, hash });
    expect(captured.json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  });

  test('goes to the provider as it came where its token is not opened, and holds nothing there', async () => {
    const token = googleToken();
    const { json } = await send(byWallet('googlepay', token), virtual);
    expect(json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED', digital_wallet: 'googlepay' });
    expect(json).not.toHaveProperty('pan_type');
    expect(JSON.parse(virtual.asked.at(-1)?.body ?? '')).toMatchObject({ wallet: { token: expect.any(String) } });
    expect(virtual.asked.at(-1)?.body).not.toContain(CARD_NUMBER);
    const refused = await send(byWallet('googlepay', googleToken(), { auth: 'Y' }), virtual);
    expect(refused.json).toMatchObject({ result: 'ERROR', error_code: 204005 });
  });

  test('is taken once: the token of one sale pays no other', async () => {
    const token = appleToken();
    expect((await send(byWallet('applepay', token))).json).toMatchObject({ result: 'SUCCESS' });
    const asked = service.asked.length;
    const again = await send(byWallet('applepay', token));
    expect([again.status, refusalLines(again), service.asked.length]).toEqual([400, NOT_VALID, asked]);
  });

  test('by one of 32 commands at once', async () => {
    const token = appleToken();
    const all = await Promise.all(Array.from({ length: 32 }, () => send(byWallet('applepay', token))));
    expect(all.filter(({ json }) => json['result'] === 'SUCCESS')).toHaveLength(1);
  });

  test.each<[string, () => Fields, string[]]>([
    ['of another amount', () => byWallet('applepay', appleToken({ amount: 999 })), NOT_VALID],
    ['that is no JSON', () => byWallet('applepay', 'token'), NOT_VALID],
    ['of another wallet', () => byWallet('googlepay', appleToken()), NOT_VALID],
    [
      'and the CAVV of an external MPI, beside its own authentication,',
      () => byWallet('applepay', appleToken(), { cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=' }),
      ['cavv: This field was not expected.'],
    ],
    [
      'without the name of its wallet',
      () => byWallet('', appleToken()),
      ['digital_wallet: This value should not be blank.'],
    ],
    [
      'of a wallet that there is not',
      () => byWallet('samsungpay', appleToken()),
      ['digital_wallet: The value you selected is not a valid choice.'],
    ],
  ])('with a token %s is refused, and nothing is sent', async (_what, fields, lines) => {
    const asked = service.asked.length;
    const refused = await send(fields());
    expect([refused.status, refusalLines(refused), service.asked.length]).toEqual([400, lines, asked]);
  });

  test('that the merchant does not have is refused as a method that is not supported', async () => {
    const { status, json } = await send(byWallet('applepay', appleToken()), virtual);
    expect([status, json['error_code'], json['error_message']]).toEqual([400, 204004, 'Payment method not supported.']);
  });

  test('is paid by the card where one was sent as well', async () => {
    const { json } = await send(saleFields({ digital_wallet: 'applepay', payment_token: 'x' }), service);
    expect(json).not.toHaveProperty('digital_wallet');
  });
});
