import { signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { payoutCallbackHashOf as hashOf } from '../support/callback-hash.ts';
import { payoutFields, sendCommand, statusFields, toldCommand } from '../support/commands.ts';
import { type PixProvider, pixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { merchant, startService, trial } from '../support/service.ts';

let provider: PixProvider;
let shop: Receiver;
let own: Receiver;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  [provider, shop, own] = await Promise.all([pixProvider(), receiver(), receiver()]);
  service = await startService(provider, shop.url);
});

afterAll(async () => {
  await service.stop();
  await Promise.all([provider.close(), shop.close(), own.close()]);
});

beforeEach(() => {
  provider.payoutStatus = 'PAID';
});

const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const payoutsOf = (amount: string) => provider.ledger.filter((entry) => entry.amount === amount);

describe('a payout by command', () => {
  test('that succeeds is answered and called back so', async () => {
    const fields = payoutFields({ order_amount: '10.01', 'custom_data[a][b]': 'c', 'custom_data[none]': '' });
    const { status, json } = await sendCommand(service.url, fields);
    expect(status).toBe(200);
    expect(json).toEqual({
      action: 'CREDIT2VIRTUAL',
      result: 'SUCCESS',
      status: 'SETTLED',
      order_id: fields['order_id'],
      trans_id: expect.any(String),
      trans_date: DATE,
      amount: '10.01',
      currency: 'BRL',
    });
    expect(payoutsOf('10.01')).toMatchObject([{ kind: 'payout', status: 'PAID', external_id: json['trans_id'] }]);
    const callback = await shop.until((each) => each.fields['order_id'] === fields['order_id']);
    expect(callback.fields).toEqual({
      ...json,
      'custom_data[a][b]': 'c',
      hash: hashOf(callback.fields),
    });
    expect(callback.signed).toBe(true);
    expect(callback.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-payment-version': '1',
      'webhook-id': expect.stringMatching(/^msg_/),
    });
  });

  test('that is declined says why', async () => {
    provider.payoutStatus = 'REJECTED';
    const fields = payoutFields();
    const { status, json } = await sendCommand(service.url, fields);
    expect(status).toBe(200);
    expect(json).toMatchObject({ result: 'DECLINED', status: 'DECLINED', decline_reason: expect.stringMatching(/./) });
    const callback = await toldCommand(shop, fields['order_id'], 'DECLINED');
    expect(callback).toEqual({ ...json, hash: hashOf(callback) });
  });

  test('that the provider has not decided is undefined, and a callback reports the result', async () => {
    provider.payoutStatus = 'PROCESSING';
    const fields = payoutFields({ order_amount: '10.03' });
    const { json } = await sendCommand(service.url, fields, {}, '/post-va');
    expect(json).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE', amount: '10.03', trans_date: DATE });
    const first = await toldCommand(shop, fields['order_id'], 'PREPARE');
    expect(first).toEqual({ ...json, hash: hashOf(first) });
    const trans_id = String(json['trans_id']);
    expect((await sendCommand(service.url, statusFields(trans_id))).json).toMatchObject({ status: 'PREPARE' });

    const [entry] = payoutsOf('10.03');
    if (entry === undefined) throw new Error('Nothing was paid out.');
    entry.status = 'PAID';
    expect(await provider.notify(service.notifyUrl, entry)).toBe(204);
    const last = await toldCommand(shop, fields['order_id'], 'SETTLED');
    expect(last).toEqual({ ...json, result: 'SUCCESS', status: 'SETTLED', hash: hashOf(last) });
    expect((await sendCommand(service.url, statusFields(trans_id))).json).toEqual({
      action: 'GET_TRANS_STATUS',
      result: 'SUCCESS',
      status: 'SETTLED',
      order_id: fields['order_id'],
      trans_id,
    });
  });

  test('may come as a multipart form, with a name in any letters', async () => {
    const form = new FormData();
    const names = { payee_first_name: 'Aïcha', payee_last_name: 'Koné-Ouédraogo', payee_email: 'a@example.com' };
    for (const [name, value] of Object.entries(payoutFields({ ...names, payer_state: '' }))) form.append(name, value);
    expect((await sendCommand(service.url, form)).json).toMatchObject({ result: 'SUCCESS' });
  });

  test('may come as JSON under the content type of a form', async () => {
    const { 'parameters[key]': key = '', ...fields } = payoutFields();
    const reply = await fetch(`${service.url}/post`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: JSON.stringify({ ...fields, parameters: { key } }),
    });
    expect(await reply.json()).toMatchObject({ result: 'SUCCESS' });
  });

  test('may be signed with the other digest, and is called back with it', async () => {
    const { hash: _hash, ...fields } = payoutFields();
    const { order_id = '', order_amount = '', order_currency = '' } = fields;
    const covered = { order_id, order_amount, order_currency };
    const hash = signCommand('payout', covered, merchant.password, { digest: 'sha256' });
    expect((await sendCommand(service.url, { ...fields, hash })).json).toMatchObject({ result: 'SUCCESS' });
    const callback = await toldCommand(shop, order_id, 'SETTLED');
    expect(callback['hash']).toBe(hashOf(callback, { digest: 'sha256' }));
  });

  test('is called back at its own address, which the merchant’s does not replace', async () => {
    const fields = payoutFields({ callback_url: `${own.url}/payouts?a=1` });
    expect((await sendCommand(service.url, fields)).json).toMatchObject({ result: 'SUCCESS' });
    const callback = await toldCommand(own, fields['order_id'], 'SETTLED');
    expect(callback['hash']).toBe(hashOf(callback));
    expect(shop.received.filter((each) => each.fields['order_id'] === fields['order_id'])).toEqual([]);
  });

  test('with a test key is seen by that key alone', async () => {
    const { json } = await sendCommand(service.url, payoutFields({}, trial));
    const trans_id = String(json['trans_id']);
    expect((await sendCommand(service.url, statusFields(trans_id, trial))).json).toMatchObject({ status: 'SETTLED' });
    expect((await sendCommand(service.url, statusFields(trans_id))).json).toMatchObject({
      result: 'ERROR',
      error_code: 101000,
      error_message: 'Transaction does not exist.',
    });
  });
});

describe('a payout that is asked for again', () => {
  test('within the window is a duplicate', async () => {
    const fields = payoutFields({ order_amount: '10.04' });
    await sendCommand(service.url, fields);
    const again = await sendCommand(service.url, fields);
    expect(again.status).toBe(400);
    expect(again.json).toEqual({
      http_code: 400,
      result: 'ERROR',
      error_code: 400,
      error_message: 'Duplicate request.',
      request_id: expect.any(String),
    });
    expect(payoutsOf('10.04')).toHaveLength(1);
  });

  test('with an Idempotency-Key is made once, also where ten ask at once and bodies are multipart', async () => {
    const fields = payoutFields({ order_amount: '10.05' });
    const ask = () => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return sendCommand(service.url, form, { 'idempotency-key': String(fields['order_id']) });
    };
    const replies = await Promise.all(Array.from({ length: 10 }, ask));
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const last = await ask();
    expect(last.json).toMatchObject({ result: 'SUCCESS', amount: '10.05' });
    expect(payoutsOf('10.05')).toHaveLength(1);
  });
});
