import { cardDigits, signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { CARD_NUMBER, onTransaction, saleFields } from '../support/card-commands.ts';
import { type Fields, refusalLines, sendCommand, toldCommand } from '../support/commands.ts';
import { merchant } from '../support/service.ts';

let service: AcquirerService;
let strict: AcquirerService;

beforeAll(async () => {
  [service, strict] = await Promise.all([
    acquirerService(),
    acquirerService({ payerFields: { card: { payer_zip: 'required', payer_city: 'optional' } } }),
  ]);
});
afterAll(() => Promise.all([service.stop(), strict.stop()]));

const debitFields = (change: Fields = {}) => saleFields({ action: 'DEBIT', order_amount: '10.00', ...change });
const send = (fields: Fields, { url }: { readonly url: string } = service) => sendCommand(url, fields);

/** Nothing of the payer but their address on the internet (reference: DEBIT). */
const UNNAMED = {
  payer_first_name: '',
  payer_last_name: '',
  payer_address: '',
  payer_country: '',
  payer_state: '',
  payer_city: '',
  payer_zip: '',
  payer_email: '',
  payer_phone: '',
};

describe('a DEBIT', () => {
  test('needs of its payer only their address on the internet; its hashes then cover the card alone', async () => {
    const fields = debitFields(UNNAMED);
    const { json } = await send(fields);
    expect(json).toMatchObject({ action: 'DEBIT', result: 'SUCCESS', status: 'SETTLED' });
    const trans_id = String(json['trans_id']);
    const covered = { payer_email: '', trans_id, card: cardDigits(CARD_NUMBER) };
    const hash = signCommand('card_transaction', covered, merchant.password);
    expect((await toldCommand(service.shop, fields['order_id'], 'SETTLED'))['hash']).toBe(hash);
    const found = await send({ action: 'GET_TRANS_STATUS', client_key: merchant.key, trans_id, hash });
    expect(found.json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  });

  test('without that address is refused', async () => {
    expect(refusalLines(await send(debitFields({ payer_ip: '' })))).toEqual([
      'payer_ip: This value should not be blank.',
    ]);
  });

  test('carries what the merchant’s mapping of S2S CARD requires', async () => {
    expect(refusalLines(await send(debitFields(UNNAMED), strict))).toEqual([
      'payer_zip: This value should not be blank.',
    ]);
  });

  test('holds nothing: auth=Y is refused and nothing sent, auth=N asks for nothing', async () => {
    const before = service.asked.length;
    const refused = await send(debitFields({ auth: 'Y' }));
    expect([refused.status, refusalLines(refused)]).toEqual([
      400,
      ['auth: This value is only allowed with operation purchase.'],
    ]);
    expect(service.asked.length).toBe(before);
    expect((await send(debitFields({ auth: 'N' }))).json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  });
});

describe('a DEBIT that is given back', () => {
  const debited = async () => {
    const fields = debitFields();
    return { order_id: fields['order_id'], trans_id: String((await send(fields)).json['trans_id']) };
  };
  const details = async (trans_id: string) => (await send(onTransaction('GET_TRANS_DETAILS', trans_id))).json;

  test('whole is reversed: in the callback, the status and its transactions', async () => {
    const { order_id, trans_id } = await debited();
    const { json } = await send(onTransaction('CREDITVOID', trans_id));
    expect(json).toMatchObject({ action: 'CREDITVOID', result: 'ACCEPTED' });
    expect(await toldCommand(service.shop, order_id, 'REVERSAL')).toMatchObject({
      action: 'CREDITVOID',
      result: 'SUCCESS',
      amount: '10.00',
    });
    expect(await details(trans_id)).toMatchObject({
      status: 'REVERSAL',
      transactions: [{ type: 'sale' }, { type: 'reversal', status: 'success', amount: '10.00' }],
    });
  });

  test('in part stays settled, and is reversed with the rest', async () => {
    const { order_id, trans_id } = await debited();
    await send(onTransaction('CREDITVOID', trans_id, { amount: '4.00' }));
    const part = await service.shop.until(
      ({ fields }) => fields['order_id'] === order_id && fields['action'] === 'CREDITVOID',
    );
    expect(part.fields).toMatchObject({ result: 'SUCCESS', status: 'SETTLED', amount: '4.00' });
    await send(onTransaction('CREDITVOID', trans_id, { amount: '6.00' }));
    expect(await toldCommand(service.shop, order_id, 'REVERSAL')).toMatchObject({ amount: '6.00' });
    expect(await details(trans_id)).toMatchObject({ status: 'REVERSAL' });
  });
});
