import { cardDigits, signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { otherMerchant } from '../support/any-method-config.ts';
import { CARD_NUMBER, PAYER_EMAIL, saleFields } from '../support/card-commands.ts';
import { type Fields, refusalLines, sendCommand, toldCommand } from '../support/commands.ts';
import { merchant } from '../support/service.ts';

let service: AcquirerService;

beforeAll(async () => {
  service = await acquirerService();
});

afterAll(() => service.stop());

beforeEach(() => {
  service.state.answer = () => undefined;
});

const send = (fields: Fields) => sendCommand(service.url, fields);
const byCard = signCommand('card', { payer_email: PAYER_EMAIL, card: cardDigits(CARD_NUMBER) }, merchant.password);

let orders = 0;
const order = (): Fields => {
  orders += 1;
  return { order_id: `later-${process.pid}-${orders}`, order_amount: '3.00', order_description: 'Later' };
};

/** The pair with which a first sale is charged again. */
async function first(): Promise<Fields> {
  const fields = saleFields({ recurring_init: 'Y' });
  const { json } = await send(fields);
  expect(json).toMatchObject({ result: 'SUCCESS', recurring_token: expect.any(String) });
  return { recurring_first_trans_id: String(json['trans_id']), recurring_token: String(json['recurring_token']) };
}

const charge = (pair: Fields, more: Fields = {}): Fields => ({
  action: 'RECURRING_SALE',
  client_key: merchant.key,
  ...order(),
  ...pair,
  hash: byCard,
  ...more,
});

describe('a later charge of a card', () => {
  test('is answered and called back under its own transaction', async () => {
    const fields = charge(await first());
    const { json } = await send(fields);
    expect(json).toMatchObject({ action: 'RECURRING_SALE', result: 'SUCCESS', status: 'SETTLED', amount: '3.00' });
    const callback = await toldCommand(service.shop, fields['order_id'], 'SETTLED');
    const trans_id = String(json['trans_id']);
    const signed = { payer_email: PAYER_EMAIL, trans_id, card: cardDigits(CARD_NUMBER) };
    expect(callback).toMatchObject({ action: 'RECURRING_SALE', currency: 'USD', trans_id });
    expect(callback['hash']).toBe(signCommand('card_transaction', signed, merchant.password));
  });

  test('gets one answer for an unknown pair, a wrong hash and another operation', async () => {
    const pair = await first();
    for (const wrong of [
      charge({ ...pair, recurring_token: '00000000-0000-4000-8000-000000000000' }),
      charge({ ...pair, recurring_first_trans_id: '00000000-0000-4000-8000-000000000000' }),
      charge(pair, { hash: 'f'.repeat(32) }),
      charge(pair, { action: 'RECURRING_DEBIT' }),
    ]) {
      const { json } = await send(wrong);
      expect(json).toMatchObject({ result: 'ERROR', error_code: 100000, error_message: 'Incorrect transaction' });
    }
  });

  test('that the acquirer wants to challenge waits for the acquirer: the payer is not there', async () => {
    const pair = await first();
    const action = { type: 'redirect', url: 'https://acs.example/' };
    service.state.answer = ({ url }) =>
      url.endsWith('/charges')
        ? { status: 201, body: { id: 'pay-c', status: 'CHALLENGE', amount: 300, currency: 'USD', action } }
        : undefined;
    const { json } = await send(charge(pair));
    expect(json).toMatchObject({ action: 'RECURRING_SALE', result: 'UNDEFINED', status: 'PREPARE' });
    expect(json).not.toHaveProperty('redirect_url');
  });

  test('is not tried again after a success', async () => {
    const fields = charge(await first());
    const { json } = await send(fields);
    const again = await send({
      action: 'RETRY',
      client_key: merchant.key,
      trans_id: String(json['trans_id']),
      hash: byCard,
    });
    expect(refusalLines(again)).toEqual(['Not acceptable to request the retry for payment not softly declined.']);
  });
});

describe('a charge that was softly declined', () => {
  let declines = 0;
  const declinedBy = (response_code: string) => {
    service.state.answer = ({ url }) =>
      url.endsWith('/charges')
        ? {
            status: 402,
            body: { id: `pay-${(declines += 1)}`, status: 'DECLINED', amount: 300, currency: 'USD', response_code },
          }
        : undefined;
  };
  const retried = (trans_id: unknown, hash = byCard) =>
    send({ action: 'RETRY', client_key: merchant.key, trans_id: String(trans_id), hash });

  test('is tried again, and reported under a transaction of its own', async () => {
    const pair = await first();
    declinedBy('51');
    const fields = charge(pair);
    const { json } = await send(fields);
    expect(json).toMatchObject({ action: 'RECURRING_SALE', result: 'DECLINED', status: 'DECLINED' });
    service.state.answer = () => undefined;
    const again = await retried(json['trans_id']);
    expect([again.status, again.json]).toEqual([
      200,
      { action: 'RETRY', result: 'ACCEPTED', order_id: fields['order_id'], trans_id: expect.any(String) },
    ]);
    const callback = await toldCommand(service.shop, fields['order_id'], 'SETTLED');
    expect(callback).toMatchObject({ action: 'RETRY', result: 'SUCCESS', trans_id: again.json['trans_id'] });
  });

  test('and is declined again is reported with its amount', async () => {
    const pair = await first();
    declinedBy('51');
    const fields = charge(pair);
    const { json } = await send(fields);
    const again = await retried(json['trans_id']);
    const { fields: callback } = await service.shop.until(
      ({ fields: each }) => each['trans_id'] === again.json['trans_id'] && each['status'] === 'DECLINED',
    );
    expect(callback).toMatchObject({ action: 'RETRY', result: 'DECLINED', amount: '3.00', currency: 'USD' });
  });

  test('is not found by a wrong hash', async () => {
    const pair = await first();
    declinedBy('51');
    const { json } = await send(charge(pair));
    const wrong = await retried(json['trans_id'], 'f'.repeat(32));
    expect(wrong).toMatchObject({ status: 400, json: { error_code: 101000 } });
    expect(refusalLines(wrong)).toEqual(['Transaction does not exist.']);
  });

  test('that was declined for good is not tried again', async () => {
    const pair = await first();
    declinedBy('14');
    const { json } = await send(charge(pair));
    expect(refusalLines(await retried(json['trans_id']))).toEqual([
      'Not acceptable to request the retry for payment not softly declined.',
    ]);
  });
});

describe('a debit by card', () => {
  test('is answered and called back as one, and later debits of its payer with it', async () => {
    const fields = saleFields({ action: 'DEBIT', recurring_init: 'Y' });
    const { json } = await send(fields);
    expect(json).toMatchObject({ action: 'DEBIT', result: 'SUCCESS', status: 'SETTLED', amount: '1.99' });
    expect(await toldCommand(service.shop, fields['order_id'], 'SETTLED')).toMatchObject({ action: 'DEBIT' });
    const pair = {
      recurring_first_trans_id: String(json['trans_id']),
      recurring_token: String(json['recurring_token']),
    };
    const later = await send(charge(pair, { action: 'RECURRING_DEBIT' }));
    expect(later.json).toMatchObject({ action: 'RECURRING_DEBIT', result: 'SUCCESS', status: 'SETTLED' });
    const sale = await send(charge(pair));
    expect(refusalLines(sale)).toEqual(['Incorrect transaction']);
  });
});

describe('GET_TRANS_STATUS_BY_ORDER', () => {
  const byOrder = (order_id: string, change: Fields = {}): Fields => ({
    action: 'GET_TRANS_STATUS_BY_ORDER',
    client_key: merchant.key,
    order_id,
    hash: signCommand(
      'card_order',
      { payer_email: PAYER_EMAIL, order_id, card: cardDigits(CARD_NUMBER) },
      merchant.password,
    ),
    ...change,
  });
  const ROW = { status: 400, json: { result: 'ERROR', error_code: 101000, error_message: 'Order does not exist.' } };

  test('reads how the newest payment of the order stands', async () => {
    const fields = saleFields();
    const { json } = await send(fields);
    const { order_id = '' } = fields;
    expect((await send(byOrder(order_id))).json).toEqual({
      action: 'GET_TRANS_STATUS_BY_ORDER',
      result: 'SUCCESS',
      status: 'SETTLED',
      order_id,
      trans_id: json['trans_id'],
    });
  });

  test('gets one answer for an order that is not there, a wrong hash and another merchant', async () => {
    const fields = saleFields();
    await send(fields);
    const { order_id = '' } = fields;
    expect(await send(byOrder('order-none'))).toMatchObject(ROW);
    expect(await send(byOrder(order_id, { hash: 'f'.repeat(32) }))).toMatchObject(ROW);
    expect(await send(byOrder(order_id, { client_key: otherMerchant.key }))).toMatchObject(ROW);
  });
});

describe('a payout to a card', () => {
  const NUMBER = '4601541833776519';
  const payout = (change: Fields = {}): Fields => ({
    action: 'CREDIT2CARD',
    client_key: merchant.key,
    ...order(),
    order_currency: 'USD',
    card_number: NUMBER,
    payee_first_name: 'Jane',
    payee_last_name: 'Roe',
    hash: signCommand('card', { payer_email: '', card: cardDigits(NUMBER) }, merchant.password),
    ...change,
  });

  test('is answered and called back, both signed without an e-mail', async () => {
    const fields = payout({ payer_email: PAYER_EMAIL });
    const { json } = await send(fields);
    expect(json).toMatchObject({ action: 'CREDIT2CARD', result: 'SUCCESS', status: 'SETTLED' });
    const trans_id = String(json['trans_id']);
    const hash = signCommand(
      'card_transaction',
      { payer_email: '', trans_id, card: cardDigits(NUMBER) },
      merchant.password,
    );
    expect((await toldCommand(service.shop, fields['order_id'], 'SETTLED'))['hash']).toBe(hash);
    const found = await send({ action: 'GET_TRANS_STATUS', client_key: merchant.key, trans_id, hash });
    expect(found.json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  });

  test('needs no name of the payee', async () => {
    const { payee_first_name: _first, payee_last_name: _last, ...fields } = payout();
    expect((await send(fields)).json).toMatchObject({ action: 'CREDIT2CARD', result: 'SUCCESS', status: 'SETTLED' });
  });

  test('is refused without a card, and for a merchant who does not pay out', async () => {
    const { card_number: _number, ...without } = payout();
    expect(refusalLines(await send(without))).toEqual(['card_number: This value should not be blank.']);
    await service.configure((merchants) => merchants.map((each) => ({ ...each, moneyOut: false })));
    const { status } = await send(payout());
    await service.configure((merchants) => merchants);
    expect(status).toBe(403);
  });
});
