import { cardDigits, signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { CARD_NUMBER, PAYER_EMAIL, transactionHash } from '../support/card-commands.ts';
import {
  type Fields,
  refusalLines,
  sendCommand,
  signedPayout,
  statusFields,
  toldCommand,
} from '../support/commands.ts';
import { type CryptoService, cryptoService } from '../support/crypto-service.ts';
import { payoutCallbackHashOf } from '../support/callback-hash.ts';
import { merchant } from '../support/service.ts';

const PAYEE = '4601541833776519';

let orders = 0;
const order = (): Fields => {
  orders += 1;
  return { order_id: `out-${process.pid}-${orders}`, order_amount: '3.00', order_currency: 'USD' };
};

describe('CARD2CARD', () => {
  let service: AcquirerService;
  beforeAll(async () => {
    service = await acquirerService();
  });
  afterAll(() => service.stop());

  const transfer = (change: Fields = {}): Fields => ({
    action: 'CARD2CARD',
    client_key: merchant.key,
    ...order(),
    order_description: 'Gift',
    payer_card_number: CARD_NUMBER,
    payer_card_exp_month: '01',
    payer_card_exp_year: '2038',
    payer_card_cvv2: '123',
    payer_first_name: 'John',
    payer_last_name: 'Doe',
    payer_email: PAYER_EMAIL,
    payer_ip: '192.0.2.1',
    payee_card_number: PAYEE,
    payee_first_name: 'Jane',
    payee_last_name: 'Roe',
    term_url_3ds: 'https://shop.example/back',
    hash: signCommand('card', { payer_email: PAYER_EMAIL, card: cardDigits(CARD_NUMBER) }, merchant.password),
    ...change,
  });
  const send = (fields: Fields) => sendCommand(service.url, fields);

  test('takes from one card, pays to the other, and is called back and looked up by the payer’s', async () => {
    const fields = transfer();
    const { status, json } = await send(fields);
    expect([status, json]).toMatchObject([200, { action: 'CARD2CARD', result: 'SUCCESS', status: 'SETTLED' }]);
    const sent = service.asked.findLast(({ url }) => url.endsWith('/v1/transfers'));
    expect(JSON.parse(String(sent?.body))).toMatchObject({
      card: { number: CARD_NUMBER },
      payee: { card: { number: PAYEE }, name: 'Jane Roe' },
    });
    const trans_id = String(json['trans_id']);
    const callback = await toldCommand(service.shop, fields['order_id'], 'SETTLED');
    expect(callback).toMatchObject({ action: 'CARD2CARD', amount: '3.00', hash: transactionHash(trans_id) });
    const found = await send({
      action: 'GET_TRANS_STATUS',
      client_key: merchant.key,
      trans_id,
      hash: transactionHash(trans_id),
    });
    expect(found.json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  });

  test('needs neither names nor an e-mail', async () => {
    const hash = signCommand('card', { payer_email: '', card: cardDigits(CARD_NUMBER) }, merchant.password);
    const blank = { payer_first_name: '', payer_last_name: '', payee_first_name: '', payee_last_name: '' };
    const { json } = await send(transfer({ ...blank, payer_email: '', hash }));
    expect(json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  });

  test('sends the payer to the page of their bank', async () => {
    const { json } = await send(transfer({ payer_card_exp_month: '12' }));
    expect(json).toMatchObject({
      action: 'CARD2CARD',
      result: 'REDIRECT',
      redirect_url: expect.stringMatching(/^http/),
    });
  });

  test('is refused by the names of its own fields', async () => {
    const lines = async (change: Fields) => refusalLines(await send(transfer(change)));
    expect(await lines({ payee_card_number: '4111111111111112' })).toEqual([
      expect.stringMatching(/^payee_card_number: /),
    ]);
    expect(await lines({ payer_card_exp_year: '2020' })).toEqual([expect.stringMatching(/^payer_card_exp_year: /)]);
    expect(await lines({ hash: 'f'.repeat(32) })).toEqual(['hash: Hash is not valid.']);
  });

  test('is refused to a merchant who does not pay out', async () => {
    await service.configure((merchants) => merchants.map((each) => ({ ...each, moneyOut: false })));
    const before = service.asked.length;
    const { status } = await send(transfer());
    await service.configure((merchants) => merchants);
    expect([status, service.asked.length]).toEqual([403, before]);
  });
});

describe('CREDIT2CRYPTO', () => {
  let service: CryptoService;
  beforeAll(async () => {
    service = await cryptoService();
  });
  afterAll(() => service.stop());

  const payout = (change: Fields = {}): Fields =>
    signedPayout(
      {
        action: 'CREDIT2CRYPTO',
        client_key: merchant.key,
        brand: 'trading-withdrawal',
        ...order(),
        order_description: 'Winnings',
        'parameters[withdrawCurrency]': 'BTC',
        'parameters[address]': 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
        payee_first_name: 'Ada',
        payee_last_name: 'Lovelace',
        ...change,
      },
      merchant.password,
    );

  test.each(['/post', '/post-va'])('%s: coins under way are INIT, in the answer and in the callback', async (path) => {
    const fields = payout();
    const { status, json } = await sendCommand(service.url, fields, {}, path);
    expect([status, json]).toMatchObject([200, { action: 'CREDIT2CRYPTO', result: 'INIT', status: 'PENDING' }]);
    expect(service.gateway.ledger.filter(({ sent }) => sent['reference'] === json['trans_id'])).toMatchObject([
      { kind: 'withdrawals', sent: { coin: 'BTC', amount: '3.00' } },
    ]);
    const callback = await toldCommand(service.shop, fields['order_id'], 'PENDING');
    expect(callback).toMatchObject({ action: 'CREDIT2CRYPTO', result: 'INIT', hash: payoutCallbackHashOf(callback) });
    const found = await sendCommand(service.url, statusFields(String(json['trans_id'])), {}, path);
    expect(found.json).toMatchObject({ result: 'SUCCESS', status: 'PENDING' });
  });

  test('is refused for an address that is none of the coin, without a description, and by a wrong hash', async () => {
    const before = service.gateway.ledger.length;
    const lines = async (change: Fields) => refusalLines(await sendCommand(service.url, payout(change)));
    expect(await lines({ 'parameters[address]': 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5' })).toEqual([
      'parameters[address]: This value is not valid.',
    ]);
    expect(await lines({ order_description: '' })).toEqual([expect.stringMatching(/^order_description: /)]);
    expect(await lines({ hash: 'f'.repeat(32) })).toEqual(['hash: Hash is not valid.']);
    expect(service.gateway.ledger).toHaveLength(before);
  });
});
