import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as fc from '../../../test/support/properties.ts';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyCallback, verifyCallbackHash, verifyReturn } from '../src/merchant/index.ts';
import { signRequest } from '../src/signature/sign.ts';

const secret = `whsec_${Buffer.from('a key of thirty-two bytes, yours').toString('base64')}`;
const older = `whsec_${Buffer.from('the key that was used before it.').toString('base64')}`;
const now = Date.parse('2026-11-21T12:00:00Z');

const fields = {
  id: 'dc66cdd8-d702-11ea-9a2f-0242c0a87002',
  order_number: 'order-1234',
  order_amount: '100.99',
  order_currency: 'USD',
  order_description: 'Käse & gift',
  order_status: 'settled',
  type: 'sale',
  status: 'success',
  hash: '619d98ced5f178a6b203b4bc1aa5e5a447247308',
};
const form = new URLSearchParams(fields).toString();

/** Signed by the official library. */
function signed(body: string, { at = now, secrets = [secret], id = 'msg_1' } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign(id, new Date(at), body)).join(' '),
  };
}

const reasonOf = (checked: ReturnType<typeof verifyCallback>) => (checked.ok ? 'ok' : checked.reason);

describe('a callback', () => {
  it.each([{ now: Number.NaN }, { now, tolerance: Number.NaN }, { now, tolerance: -1 }])(
    'is not judged by a clock that is none: %o',
    (clock) => {
      expect(() => verifyCallback({ body: form, headers: signed(form), secret, ...clock })).toThrow(RangeError);
    },
  );

  it('is read when the official library has signed it', () => {
    const headers = { ...signed(form), 'x-payment-version': '3' };
    expect(verifyCallback({ body: form, headers, secret, now })).toEqual({
      ok: true,
      callback: { webhookId: 'msg_1', signedAt: now, version: 3, fields: expect.objectContaining(fields) },
    });
  });

  it('agrees with the official library on any body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, tampered) => {
        const body = Buffer.from(text).toString('utf8');
        const sent = tampered ? `${body}.` : body;
        const wanted = tampered ? 'wrong-signature' : 'unreadable';
        expect(reasonOf(verifyCallback({ body: sent, headers: signed(body), secret, now }))).toBe(wanted);
      }),
    );
  });

  it('may come as bytes, with headers in any case, in lists, or in a Headers', () => {
    const headers = signed(form);
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const each of [headers, upper, new Headers(headers)])
      expect(reasonOf(verifyCallback({ body: Buffer.from(form), headers: each, secret, now }))).toBe('ok');
  });

  it.each([
    ['one is known', [secret], [secret, older]],
    ['the merchant still has the old one', [secret, older], [older]],
    ['the merchant has both', [older], [secret, older]],
  ])('is accepted while the secret is replaced and %s', (_case, secrets, known) => {
    const headers = signed(form, { secrets });
    expect(reasonOf(verifyCallback({ body: form, headers, secret: known, now }))).toBe('ok');
  });

  it('is refused when status, id, time, secret or signature are others', () => {
    const headers = signed(form);
    const check = (change: object, body = form, given = secret) =>
      reasonOf(verifyCallback({ body, headers: { ...headers, ...change }, secret: given, now }));
    expect(check({}, form.replace('status=success', 'status=fail'))).toBe('wrong-signature');
    expect(check({ 'webhook-id': 'msg_2' })).toBe('wrong-signature');
    expect(check({ 'webhook-timestamp': String(now / 1000 + 1) })).toBe('wrong-signature');
    expect(check({}, form, older)).toBe('wrong-signature');
    for (const signature of ['v1,', 'v1', headers['webhook-signature'].slice(0, -1), 'v1a,AAAA', 'x'.repeat(100_000)])
      expect(check({ 'webhook-signature': signature })).toBe('wrong-signature');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('is refused without %s', (name) => {
    const headers = { ...signed(form), [name]: undefined };
    expect(reasonOf(verifyCallback({ body: form, headers, secret, now }))).toBe('no-signature');
  });

  it.each(['', 'soon', '-1', '1e9', '1795262400.5'])('is refused with the time %j', (text) => {
    const headers = { ...signed(form), 'webhook-timestamp': text };
    expect(reasonOf(verifyCallback({ body: form, headers, secret, now }))).toBe('no-signature');
  });

  it.each([
    [300, undefined, 'ok'],
    [301, undefined, 'too-old'],
    [-300, undefined, 'ok'],
    [-301, undefined, 'too-new'],
    [11, 10, 'too-old'],
  ])('that is %i s old with a tolerance of %s is %s', (age, tolerance, wanted) => {
    const headers = signed(form, { at: now - age * 1000 });
    const checked = verifyCallback({ body: form, headers, secret, now, ...(tolerance !== undefined && { tolerance }) });
    expect(reasonOf(checked)).toBe(wanted);
  });

  it('refuses a secret that is none without repeating it', () => {
    const check = (given: string) => () => verifyCallback({ body: form, headers: signed(form), secret: given, now });
    for (const given of ['', 'whsec_', 'whsec_hush-hush-hush-hush-hush']) expect(check(given)).toThrow(RangeError);
    expect(check('whsec_hush-hush-hush-hush-hush')).not.toThrow(/hush/);
  });

  const read = (body: string) => {
    const checked = verifyCallback({ body, headers: signed(body), secret, now });
    return checked.ok ? checked.callback.fields : checked.reason;
  };

  it('gives custom data of a form as it is nested', () => {
    const body = `${form}&${new URLSearchParams({
      'custom_data[a][b]': 'deep',
      'custom_data[list][0]': 'x',
      'custom_data[x]&order_status]': 'y',
      'custom_data[__proto__][order_status]': 'z',
      'extended_data[provider_status]': 'PAID',
    })}`;
    const got = read(body);
    expect(JSON.parse(JSON.stringify(got))).toMatchObject({
      order_status: 'settled',
      custom_data: { a: { b: 'deep' }, list: { 0: 'x' }, 'x]&order_status': 'y' },
      extended_data: { provider_status: 'PAID' },
    });
    expect(Object.hasOwn(Object.prototype, 'order_status')).toBe(false);
  });

  it('gives custom data of JSON as it was sent', () => {
    const body = JSON.stringify({ ...fields, custom_data: { n: 1, list: [true, null] } });
    expect(read(body)).toEqual({ ...fields, custom_data: { n: 1, list: [true, null] } });
  });

  it.each([
    ['a field twice', `${form}&status=success`],
    ['custom data twice', `${form}&custom_data%5Ba%5D=1&custom_data%5Ba%5D=2`],
    ['custom data as text and as object', `${form}&custom_data%5Ba%5D=1&custom_data%5Ba%5D%5Bb%5D=2`],
    ['a field missing', form.replace('status=success', '')],
    ['broken JSON', '{"id":'],
    ['JSON with a field twice', JSON.stringify(fields).replace('{', '{"status":"fail",')],
    ['JSON with custom data twice', JSON.stringify(fields).replace('{', '{"custom_data":{"a":"1","\\u0061":"2"},')],
    ['a list', '[]'],
    ['JSON with a number for a text', JSON.stringify({ ...fields, order_amount: 1 })],
    ['nothing', ''],
  ])('with %s is unreadable, though signed', (_case, body) => {
    expect(read(body)).toBe('unreadable');
  });

  it('of bytes that are no text is unreadable', () => {
    const body = new Uint8Array([0xff, 0xfe]);
    const time = String(now / 1000);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`msg_1.${time}.`).update(body).digest('base64');
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` };
    expect(reasonOf(verifyCallback({ body, headers, secret, now }))).toBe('unreadable');
  });
});

interface Vector {
  readonly number: string;
  readonly amount: string | null;
  readonly currency: string;
  readonly description: string;
  readonly password: string;
}
const { vectors }: { vectors: Vector[] } = JSON.parse(
  readFileSync(new URL('./fixtures/hash-vectors.json', import.meta.url), 'utf8'),
);
const payment_id = fields.id;

/** The hash of a callback or a return of a vector's order. */
function hashOf(vector: Vector, options: Parameters<typeof signRequest>[3]): string {
  const { number, amount, currency, description, password } = vector;
  return amount === null
    ? signRequest('return_without_amount', { payment_id, number, currency, description }, password, options)
    : signRequest('return', { payment_id, number, amount, currency, description }, password, options);
}

const orderOf = ({ number, amount, currency, description }: Vector) => ({
  number,
  ...(amount !== null && { amount }),
  currency,
  description,
});

describe('a return and a legacy hash', () => {
  const cases = vectors.flatMap((vector) =>
    (['ascii', 'unicode'] as const).flatMap((dialect) =>
      (['md5', 'sha256'] as const).map((digest) => ({ vector, dialect, digest, number: vector.number })),
    ),
  );

  it.each(cases)('of $number in $dialect and $digest are recognised', ({ vector, dialect, digest }) => {
    const hash = hashOf(vector, { dialect, digest });
    const order = orderOf(vector);
    const query = `?a=1&${new URLSearchParams({ payment_id, trans_id: 't-1', order_id: vector.number, hash })}`;
    const { password } = vector;
    expect(verifyReturn({ query, order, password, digest })).toEqual({
      ok: true,
      return: { payment_id, trans_id: 't-1', order_id: vector.number },
    });
    const other = digest === 'md5' ? 'sha256' : 'md5';
    expect(verifyReturn({ query, order, password, digest: other })).toEqual({ ok: false, reason: 'wrong-hash' });
    const callback = { fields: { id: payment_id, hash }, order };
    expect(verifyCallbackHash({ ...callback, password: ['new-password', password], digest: 'both' })).toBe(true);
    expect(verifyCallbackHash({ ...callback, password: 'new-password', digest: 'both' })).toBe(false);
  });

  const password = 'Demo-Merchant-Pass-01';
  const order = { number: 'order-1234', amount: '100.99', currency: 'USD', description: 'Important gift' };
  const query = { payment_id, trans_id: 't-1', order_id: 'order-1234', hash: fields.hash };
  const check = (change: Record<string, string>, other = order) =>
    verifyReturn({ query: String(new URLSearchParams({ ...query, ...change })), order: other, password });

  it('are those of the reference', () => {
    expect(check({})).toMatchObject({ ok: true });
    expect(verifyCallbackHash({ fields, order, password })).toBe(true);
  });

  it('are refused for another order, payment or amount', () => {
    expect(check({ order_id: 'order-1' })).toEqual({ ok: false, reason: 'other-order' });
    expect(check({ payment_id: 'another' })).toEqual({ ok: false, reason: 'wrong-hash' });
    expect(check({}, { ...order, amount: '1.00' })).toEqual({ ok: false, reason: 'wrong-hash' });
  });

  it('are refused when a parameter is missing or stands twice', () => {
    const text = String(new URLSearchParams(query));
    for (const each of ['', '?', text.replace(/&hash=.*/, ''), `${text}&payment_id=${payment_id}`])
      expect(verifyReturn({ query: each, order, password })).toEqual({ ok: false, reason: 'no-signature' });
  });

  it('prove nothing of the outcome: the hash of a return passes as that of a settled callback', () => {
    expect(verifyCallbackHash({ fields: { id: payment_id, hash: query.hash }, order, password })).toBe(true);
    const forged = new URLSearchParams({ ...fields, order_status: 'settled' }).toString();
    expect(reasonOf(verifyCallback({ body: forged, headers: {}, secret, now }))).toBe('no-signature');
  });
});
