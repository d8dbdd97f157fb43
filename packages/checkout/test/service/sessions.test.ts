import { request } from 'node:http';
import { signSession } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otherMerchant } from '../support/any-method-config.ts';
import { anyMethodService, errorLines, postRaw } from '../support/any-method-service.ts';
import { callbackHashOf } from '../support/callback-hash.ts';
import { createPage, merchant, post, pressPay, sessionBody } from '../support/service.ts';

const DUPLICATE = {
  http_code: 400,
  error_code: '400',
  error_message: 'Duplicate request.',
  request_id: expect.any(String),
};
/** Each request has an id of its own. */
const REQUEST_ID = /"request_id":"[0-9a-f-]{36}"/;

let service: Awaited<ReturnType<typeof anyMethodService>>;
let address: string;

beforeAll(async () => {
  service = await anyMethodService([
    { key: 'card', mid: 'any' },
    { key: 'secret-alias', method: 'redirect', mid: 'any' },
  ]);
  address = `${service.url}/api/v1/session`;
});

afterAll(() => service.stop());

const cardBody = (change: Readonly<Record<string, unknown>> = {}, order: Readonly<Record<string, string>> = {}) =>
  sessionBody({ methods: ['card'], ...change }, { currency: 'USD', ...order });

describe('the duplicate window', () => {
  test('takes one of 64 equal requests at once and refuses 63 in the same bytes', async () => {
    const text = JSON.stringify(cardBody());
    const answers = await Promise.all(Array.from({ length: 64 }, () => postRaw(address, text)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(63);
    expect(new Set(refused.map((answer) => answer.text)).size).toBe(63);
    for (const answer of refused) expect(answer.json).toEqual(DUPLICATE);
  });

  test('is not armed by a refused request', async () => {
    const good = cardBody();
    expect((await post(address, { ...good, success_url: 'nowhere' })).status).toBe(400);
    expect((await post(address, { ...good, hash: '0'.repeat(40) })).status).toBe(400);
    expect((await post(address, good)).status).toBe(200);
    expect((await postRaw(address, JSON.stringify(good))).json).toEqual(DUPLICATE);
  });

  test('is each merchant’s own', async () => {
    const ours = cardBody();
    const theirs = { ...ours, merchant_key: otherMerchant.key, hash: signSession(ours.order, otherMerchant.password) };
    expect((await post(address, ours)).status).toBe(200);
    expect((await post(address, theirs)).status).toBe(200);
  });

  test('is each key’s own: a test order does not stand in the way of a live one, nor a live one of a test', async () => {
    for (const keys of [
      [merchant.key, merchant.testKey],
      [merchant.testKey, merchant.key],
    ]) {
      const { order } = cardBody();
      for (const merchant_key of keys)
        expect(await post(address, cardBody({ merchant_key }, order))).toMatchObject({ status: 200 });
      for (const merchant_key of keys)
        expect(await post(address, cardBody({ merchant_key }, order))).toMatchObject({ status: 400, json: DUPLICATE });
    }
  });

  test('ends after 15 seconds, also when the clock is set back', async () => {
    let at = Date.now();
    const timed = await anyMethodService([{ key: 'card', mid: 'any' }], { clock: () => at });
    const body = cardBody();
    const send = async (ms: number) => {
      at += ms;
      return (await post(`${timed.url}/api/v1/session`, body)).status;
    };
    expect([await send(0), await send(14_900), await send(200)]).toEqual([200, 400, 200]);
    expect(await send(-3_600_000)).toBe(200);
    await timed.stop();
  });
});

describe('who signs', () => {
  const hashProblem = {
    http_code: 400,
    error_code: 0,
    error_message: 'Request data is invalid.',
    errors: [{ error_code: 100000, error_message: 'hash: Hash is not valid.', hint: expect.any(String) }],
    request_id: expect.any(String),
  };

  test('hears the same for a wrong hash and an unknown merchant, whatever methods that merchant has', async () => {
    for (const methods of [['card'], ['secret-alias'], ['no-such-method']]) {
      const wrong = { ...cardBody({ methods }), hash: '0'.repeat(40) };
      const [known, unknown] = await Promise.all(
        [merchant.key, 'nobody'].map((merchant_key) => postRaw(address, JSON.stringify({ ...wrong, merchant_key }))),
      );
      expect(known?.text.replace(REQUEST_ID, '')).toBe(unknown?.text.replace(REQUEST_ID, ''));
      expect(known).toMatchObject({ status: 400, json: hashProblem });
    }
  });

  test('may not use the hash of another merchant', async () => {
    const body = cardBody({ merchant_key: otherMerchant.key });
    expect((await post(address, body)).json).toEqual(hashProblem);
  });

  test.each([
    { digest: 'md5', dialect: 'ascii' },
    { digest: 'md5', dialect: 'unicode' },
    { digest: 'sha256', dialect: 'ascii' },
    { digest: 'sha256', dialect: 'unicode' },
  ] as const)('may use $digest with $dialect upper case, and is called back in the same', async (options) => {
    const { order, ...rest } = cardBody({}, { description: 'Straße, Café' });
    const page = await createPage(service.url, {
      ...rest,
      order,
      hash: signSession(order, merchant.password, options),
    });
    await pressPay(page, { method: 'card' });
    const { fields } = await service.shop.until((callback) => callback.fields.order_number === order.number);
    expect(fields.order_description).toBe('Straße, Café');
    expect(fields.hash).toBe(callbackHashOf(fields, merchant.password, options));
  });

  test('marks a session as a test with the test key', async () => {
    for (const [merchant_key, marked] of [
      [merchant.testKey, true],
      [merchant.key, false],
    ] as const) {
      const page = await createPage(service.url, cardBody({ merchant_key }));
      expect((await (await fetch(page)).text()).includes('Test mode')).toBe(marked);
      await pressPay(page, { method: 'card' });
      expect(service.provider.asked.at(-1)?.test).toBe(marked);
    }
  });
});

describe('a body', () => {
  const bodyProblem = ['body: This value should be of type object.'];
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  const keys = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1])));
  const bytesOf = (...parts: (string | readonly number[])[]) =>
    Uint8Array.from(
      Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Uint8Array.from(part)))),
    );

  test.each([
    ['an array', '[]'],
    ['a text', '"purchase"'],
    ['null', 'null'],
    ['a number', '12'],
    ['200,000 levels of arrays', '['.repeat(200_000)],
  ])('that holds %s is refused as body', async (_what, text) => {
    for (const path of ['/api/v1/session', '/api/v1/payment/status']) {
      const answer = await postRaw(service.url + path, text);
      expect(answer.status).toBe(400);
      expect(errorLines(answer.json)).toEqual(bodyProblem);
    }
  });

  test('that gives a name twice is refused at that name, and so is one of a call about a payment', async () => {
    const text = JSON.stringify(cardBody());
    for (const [path, twice, name] of [
      ['/api/v1/session', text.replace('{', '{"success_url":"https://other.example/",'), 'success_url'],
      ['/api/v1/session', text.replace('"order":{', '"order":{"amount":"1.00",'), 'order.amount'],
      ['/api/v1/payment/refund', '{"payment_id":"a","amount":"1.00","amount":"2.00"}', 'amount'],
    ] as const) {
      const answer = await postRaw(service.url + path, twice);
      expect([answer.status, errorLines(answer.json)]).toEqual([400, [`${name}: This value is not valid.`]]);
    }
    expect((await postRaw(address, text)).status).toBe(200);
  });

  test('that is no UTF-8 is refused as body', async () => {
    const bytes = bytesOf('{"order":{"description":"', [0xc3, 0x28], '"}}');
    expect(errorLines((await postRaw(address, bytes)).json)).toEqual([
      'body: The body is not UTF-8. Encode it as UTF-8.',
    ]);
  });

  test('may be 256 KB and not a byte more', async () => {
    const text = JSON.stringify(cardBody());
    const filled = (bytes: number) => text + ' '.repeat(bytes - Buffer.byteLength(text));
    expect((await postRaw(address, filled(256 * 1024 + 1))).status).toBe(413);
    expect((await postRaw(address, filled(256 * 1024))).status).toBe(200);
  });

  test('of 10 MB is refused with an answer that its sender gets, and the next request is served', async () => {
    for (const bytes of [300_000, 1_000_000, 10_000_000]) {
      const answer = await postRaw(address, 'x'.repeat(bytes));
      expect(answer).toMatchObject({ status: 413, json: { http_code: 413, error_code: '413' } });
      expect((await post(address, cardBody())).status).toBe(200);
    }
  });

  test('nested too deep or with too many keys is refused at the field', async () => {
    const text = JSON.stringify(cardBody());
    const withData = (json: string) => text.replace(/}$/, `,"custom_data":${json}}`);
    for (const json of [nested(32), nested(20_000), keys(2001)]) {
      const answer = await postRaw(address, withData(json));
      expect(answer.status).toBe(400);
      expect(errorLines(answer.json)).toEqual([expect.stringMatching(/^custom_data: /)]);
    }
    expect((await postRaw(address, withData(nested(31)))).status).toBe(200);
  });

  test.each([
    ['application/json; charset=utf-8', 200],
    ['application/x-www-form-urlencoded', 200],
    ['text/plain', 415],
    ['multipart/form-data; boundary=x', 415],
  ])('of JSON under %s is answered %i', async (type, status) => {
    expect((await postRaw(address, JSON.stringify(cardBody()), { 'content-type': type })).status).toBe(status);
  });

  test('that is packed is refused', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await postRaw(address, JSON.stringify(cardBody()), headers)).status).toBe(415);
  });
});

/** Sends what fetch cannot. */
function plain(method: string, path: string): Promise<{ status: number; allow: string | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${service.url}${path}`, { method }, (reply) => {
      let body = '';
      reply.setEncoding('utf8').on('data', (text: string) => (body += text));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, allow: reply.headers.allow, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('an address', () => {
  test('that does not exist answers 404 in JSON with a request_id', async () => {
    const reply = await fetch(`${service.url}/api/v1/nothing`);
    expect(reply.status).toBe(404);
    expect(await reply.json()).toEqual({
      http_code: 404,
      error_code: '404',
      error_message: 'There is no such address.',
      request_id: reply.headers.get('x-request-id'),
    });
  });

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'answers %s without a fault',
    async (method) => {
      for (const path of ['/auth/x/pay', '/%ff', '/a/../../b'])
        expect((await plain(method, path)).status, path).toBe(404);
    },
  );

  test.each(['HEAD', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'for notifications answers %s with the methods that it takes',
    async (method) => {
      const { status, allow } = await plain(method, '/notify/pix-main');
      expect({ status, allow }).toEqual({ status: 405, allow: 'POST, PUT, GET' });
    },
  );

  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'of the API answers %s with the method that it takes',
    async (method) => {
      for (const path of ['/api/v1/session', '/api/v1/payment/status']) {
        const { status, allow, body } = await plain(method, path);
        expect({ status, allow }).toEqual({ status: 405, allow: 'POST' });
        if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ http_code: 405, error_code: '405' });
      }
    },
  );
});

test('no answer was a fault of the service', () => {
  expect(service.lines.filter((line) => line.includes('request-failed'))).toEqual([]);
});
