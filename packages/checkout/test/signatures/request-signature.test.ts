import { randomUUID } from 'node:crypto';
import { signCommand, signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acquirerService, type AcquirerService, payOrder, told } from '../support/acquirer-service.ts';
import { errorLines } from '../support/any-method-service.ts';
import { cardBody } from '../support/card-service.ts';
import { errorOf } from '../support/merchant-acts.ts';
import { bodyWithoutHash, headersOf, requestKeys, sendSigned, trialKeys } from '../support/signed-call.ts';
import { merchant, post, trial } from '../support/service.ts';

const BY_HEADERS = { requestKeys, moneyOut: true, legacySignatures: 'money-in' as const, legacyAddresses: [] };
const payee = { card_number: '4601541833776519', payee_first_name: 'Jane', payee_last_name: 'Roe' };
const NOT_VALID = ['request-signature: Signature is not valid.'];

let service: AcquirerService;
let at = Date.now();
beforeAll(async () => {
  service = await acquirerService(BY_HEADERS, undefined, { clock: () => at });
  await change({});
});
afterAll(() => service.stop());
beforeEach(() => {
  at += 20_000;
});

const sessionBody = (change: Readonly<Record<string, unknown>> = {}) => bodyWithoutHash(cardBody(change));
const send = (path: string, body: object, call: Parameters<typeof sendSigned>[3]) =>
  sendSigned(service.url, path, body, { at, ...call });
const session = (call: Partial<Parameters<typeof sendSigned>[3]> = {}) =>
  send('/api/v1/session', sessionBody(), { key: 'shop', ...call });
let orders = 0;
const payout = () => ({
  merchant_key: merchant.key,
  order_id: `payout-v2-${process.pid}-${(orders += 1)}`,
  order_amount: '25.00',
  order_currency: 'USD',
  order_description: 'Affiliate payout',
  ...payee,
});
const hashOf = (fields: ReturnType<typeof payout>) => signRequest('card_credit', fields, merchant.password);
const payouts = () => service.asked.filter(({ url }) => url.endsWith('/v1/payouts')).length;

/** One merchant is enough here, and one with keys for tests. */
async function change(changed: object) {
  const test = { ...merchant.test, requestKeys: trialKeys };
  await service.configure(([first]) => (first === undefined ? [] : [{ ...first, test, ...changed }]));
}

/** Changes the merchant for one test. */
async function withMerchant(changed: object, work: () => Promise<void>) {
  await change(changed);
  try {
    await work();
  } finally {
    await change({});
  }
}

describe('a request that is signed in its headers', () => {
  test('needs no hash, on every route', async () => {
    expect((await session()).status).toBe(200);
    const { id } = await told(service, await payOrder(service), { status: 'success' });
    const of = { merchant_key: merchant.key, payment_id: id };
    const status = await send('/api/v1/payment/status', of, { key: 'reports' });
    expect([status.status, status.json]).toMatchObject([200, { status: 'settled' }]);
    const refund = await send('/api/v1/payment/refund', { ...of, amount: '1.00' }, { key: 'desk' });
    expect([refund.status, refund.json]).toMatchObject([200, { result: 'accepted' }]);
    const credit = await send('/api/v1/payment/card/credit', payout(), { key: 'payroll' });
    expect([credit.status, credit.json]).toMatchObject([200, { result: 'accepted' }]);
  });

  test('needs none as a command, whose form is signed byte for byte', async () => {
    const body = new URLSearchParams({
      action: 'GET_TRANS_STATUS',
      client_key: merchant.key,
      trans_id: randomUUID(),
    }).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...headersOf('/post-va', body, { key: 'reports', at }),
    };
    const ask = (text: string) => fetch(`${service.url}/post-va`, { method: 'POST', headers, body: text });
    expect(await (await ask(`${body}&x=1`)).json()).toMatchObject({ errors: [{ error_message: NOT_VALID[0] }] });
    expect(await (await ask(body)).json()).toMatchObject({ error_message: 'Transaction does not exist.' });
  });

  test('is not judged by a hash that comes along', async () => {
    const body = { ...sessionBody(), hash: 'f'.repeat(40) };
    expect((await send('/api/v1/session', body, { key: 'shop' })).status).toBe(200);
  });

  test('may carry several signatures, one of which is right, and either secret of a key', async () => {
    expect((await session({ more: [`v1,${btoa('x'.repeat(32))}`, 'v2,later'] })).status).toBe(200);
    const [, reports] = requestKeys;
    for (const secret of [reports?.secret ?? []].flat()) {
      const body = { merchant_key: merchant.key, order_id: 'order-none' };
      const { json } = await send('/api/v1/payment/status', body, { key: 'reports', secret });
      expect(json).toMatchObject({ error_message: 'Order does not exist.' });
    }
  });

  const of = { merchant_key: merchant.key, payment_id: '3f6a1c52-8d0e-4b7a-9c11-5e2d7f804a63' };
  test.each<[string, Partial<Parameters<typeof sendSigned>[3]>]>([
    ['for another method', { method: 'PUT' }],
    ['for another path', { signedPath: '/api/v1/payment/void' }],
    ['for another query', { signedPath: '/api/v1/session?a=1' }],
    ['over another body', { signedBody: '{}' }],
    ['with another secret', { secret: `whsec_${btoa('another secret of 32 characters.')}` }],
    ['with a secret of zeros', { secret: `whsec_${Buffer.alloc(32).toString('base64')}` }],
    ['by a key that does not exist', { key: 'nobody' }],
    ['by a key of the test key', { key: 'all' }],
  ])('%s is refused', async (_name, call) => {
    const { status, json } = await session(call);
    expect([status, errorLines(json)]).toEqual([400, NOT_VALID]);
  });

  test.each(['success_url', 'cancel_url', 'req_token', 'auth'])(
    'with another %s than was signed is refused',
    async (name) => {
      const body = sessionBody();
      const changed = { ...body, [name]: name.endsWith('url') ? 'https://thief.example/' : true };
      const { json } = await send('/api/v1/session', changed, { key: 'shop', signedBody: JSON.stringify(body) });
      expect(errorLines(json)).toEqual(NOT_VALID);
    },
  );

  test('as a lookup is no void, no retry, and a capture is no refund', async () => {
    const signedPath = '/api/v1/payment/status';
    for (const path of ['void', 'retry'])
      expect(errorLines((await send(`/api/v1/payment/${path}`, of, { key: 'reports', signedPath })).json)).toEqual(
        NOT_VALID,
      );
    const refund = { ...of, amount: '1.00' };
    const { json } = await send('/api/v1/payment/refund', refund, {
      key: 'shop',
      signedPath: '/api/v1/payment/capture',
    });
    expect(errorLines(json)).toEqual(NOT_VALID);
  });

  test('is refused where a header is missing, whatever its hash', async () => {
    const body = cardBody();
    const text = JSON.stringify(body);
    const { 'request-signature': _none, ...headers } = headersOf('/api/v1/session', text, { key: 'shop', at });
    const reply = await fetch(`${service.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    });
    expect(errorLines(await reply.json())).toEqual(NOT_VALID);
  });

  test.each([
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ])('%i seconds from now is accepted: %s', async (seconds, accepted) => {
    at = Math.ceil(at / 1000) * 1000;
    const { status, json } = await session({ at: at + seconds * 1000 });
    expect(status).toBe(accepted ? 200 : 400);
    if (!accepted) expect(errorLines(json)[0]).toMatch(/^request-timestamp: /);
  });

  test('is accepted once: a replay is refused, of many at once all but one', async () => {
    const body = sessionBody();
    const { status, text, headers } = await send('/api/v1/session', body, { key: 'shop' });
    expect(status).toBe(200);
    at += 20_000;
    const replay = () => fetch(`${service.url}/api/v1/session`, { method: 'POST', headers, body: text });
    expect(errorLines(await (await replay()).json())[0]).toMatch(/^request-id: This request came before\./);
    const read = JSON.stringify({ merchant_key: merchant.key, order_id: 'order-none' });
    const signed = headersOf('/api/v1/payment/status', read, { key: 'reports', at });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const reply = await fetch(`${service.url}/api/v1/payment/status`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...signed },
          body: read,
        });
        return JSON.stringify(await reply.json()).includes('request-id');
      }),
    );
    expect(answers.filter((replayed) => !replayed)).toHaveLength(1);
  });

  test('that its merchant sends again has a new id and the same Idempotency-Key, and is done once', async () => {
    const body = payout();
    const before = payouts();
    const first = await send('/api/v1/payment/card/credit', body, { key: 'payroll', idempotencyKey: body.order_id });
    const again = await send('/api/v1/payment/card/credit', body, { key: 'payroll', idempotencyKey: body.order_id });
    expect(first.status).toBe(200);
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect(payouts()).toBe(before + 1);
  });

  test.each([
    ['shop', '/payment/status', 'read'],
    ['reports', '/payment/refund', 'refund'],
    ['reports', '/payment/void', 'refund'],
    ['desk', '/payment/retry', 'create'],
    ['desk', '/payment/capture', 'create'],
    ['desk', '/payment/card/credit', 'pay-out'],
    ['shop', '/payment/card/credit', 'pay-out'],
    ['payroll', '/session', 'create'],
  ])('by the key %s does no %s', async (key, path, permission) => {
    const body = { ...payout(), ...sessionBody(), ...of, amount: '1.00' };
    const answer = await send(`/api/v1${path}`, body, { key });
    expect([answer.status, errorOf(answer)]).toEqual([
      403,
      `403 The request key "${key}" has no permission "${permission}".`,
    ]);
  });
});

describe('a hash alone', () => {
  test('pays nothing out, on a route, in a session and in a command, and does the rest', async () => {
    const fields = payout();
    const before = payouts();
    const credit = await post(`${service.url}/api/v1/payment/card/credit`, { ...fields, hash: hashOf(fields) });
    expect([credit.status, errorOf(credit)]).toEqual([403, expect.stringContaining('signed in its headers')]);
    const session = cardBody({ operation: 'credit', payee: { name: 'Jane Roe' } });
    expect((await post(`${service.url}/api/v1/session`, session)).status).toBe(403);
    const order = { order_id: fields.order_id, order_amount: '25.00', order_currency: 'USD' };
    const body = new URLSearchParams({
      action: 'CREDIT2VIRTUAL',
      client_key: merchant.key,
      brand: 'card',
      ...order,
      hash: signCommand('payout', order, merchant.password),
    });
    expect((await fetch(`${service.url}/post`, { method: 'POST', body })).status).toBe(403);
    expect(payouts()).toBe(before);
    expect((await post(`${service.url}/api/v1/session`, cardBody())).status).toBe(200);
  });

  test.each([
    ['of the list', ['127.0.0.0/8'], 200],
    ['outside of the list', ['192.0.2.0/24'], 403],
  ])('pays out from an address %s', async (_name, legacyAddresses, expected) => {
    await withMerchant({ legacySignatures: 'money-out', legacyAddresses }, async () => {
      const fields = payout();
      const answer = await post(`${service.url}/api/v1/payment/card/credit`, { ...fields, hash: hashOf(fields) });
      expect(answer.status).toBe(expected);
    });
  });

  test('does nothing for a merchant who signs everything in headers', async () => {
    await withMerchant({ legacySignatures: 'none' }, async () => {
      expect((await post(`${service.url}/api/v1/session`, cardBody())).status).toBe(403);
      expect(JSON.stringify(await service.status(randomUUID()))).toContain('a hash is not accepted');
      expect((await session()).status).toBe(200);
    });
  });
});

test('nothing is paid out while that is switched off, however it is signed', async () => {
  await withMerchant({ moneyOut: false }, async () => {
    const answer = await send('/api/v1/payment/card/credit', payout(), { key: 'payroll' });
    expect([answer.status, errorOf(answer)]).toEqual([403, expect.stringContaining('(moneyOut)')]);
    expect((await session()).status).toBe(200);
  });
});

describe('test and live', () => {
  test('a request that is signed for the one is refused by the other', async () => {
    const toTest = cardBody({ merchant_key: trial.key });
    expect((await post(`${service.url}/api/v1/session`, { ...toTest, merchant_key: merchant.key })).json).toMatchObject(
      { errors: [{ error_message: 'hash: Hash is not valid.' }] },
    );
    const live = cardBody();
    expect(
      errorLines((await post(`${service.url}/api/v1/session`, { ...live, merchant_key: trial.key })).json),
    ).toEqual(['hash: Hash is not valid.']);
    const body = sessionBody({ merchant_key: trial.key });
    expect((await send('/api/v1/session', body, { key: 'all' })).status).toBe(200);
    expect(errorLines((await send('/api/v1/session', body, { key: 'shop' })).json)).toEqual(NOT_VALID);
    const ofLive = { ...body, merchant_key: merchant.key };
    expect(errorLines((await send('/api/v1/session', ofLive, { key: 'all' })).json)).toEqual(NOT_VALID);
  });
});
