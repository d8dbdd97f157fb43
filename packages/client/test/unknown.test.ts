import { createServer, type RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, type Fetch, isRailyardError, UnknownOutcomeError } from '../src/index.ts';

const merchantKey = '11111111-2222-4333-8444-555555555555';
const password = 'Password-Canary-01';
const callbackSecret = 'whsec_c2VjcmV0LWNhbmFyeS1vZi10aGUtY2FsbGJhY2tz';
const refund = { payment_id: '33333333-4444-4555-8666-777777777777', amount: '1.00' };

/** A client of a service that answers like this. */
async function clientOf(answer: RequestListener) {
  const server = createServer(answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return createClient({ baseUrl: `http://127.0.0.1:${port}`, merchantKey, password, callbackSecret });
}

async function caught(call: Promise<unknown>) {
  const error = await call.catch((thrown: unknown) => thrown);
  if (!isRailyardError(error)) throw new Error(`Expected an error of the client, got ${String(error)}`);
  return error;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener => {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
};

const UNKNOWN = 'Whether anything was done is unknown.';

test.each<[string, RequestListener, string]>([
  [
    'a connection that breaks',
    (request) => request.socket.destroy(),
    'The connection failed before an answer came (UND_ERR_SOCKET).',
  ],
  [
    'an answer that breaks off',
    (request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"payment_id":');
      setImmediate(() => request.socket.destroy());
    },
    'The connection failed before an answer came (UND_ERR_SOCKET).',
  ],
  [
    'a page of a gateway',
    (_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'),
    'HTTP 502, and not an answer of a checkout.',
  ],
  [
    'an error of the service',
    json(503, { http_code: 503, error_code: '503', error_message: 'The service is not available.' }),
    'HTTP 503: The service is not available.',
  ],
  [
    'an address that sends elsewhere',
    (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
    'HTTP 307, and not an answer of a checkout.',
  ],
  ['an answer to something else', json(200, { hello: 'world' }), 'HTTP 200, and not an answer of this call.'],
  [
    'a page with status 200',
    (_request, response) => response.end('<p>Hi'),
    'HTTP 200, and not an answer of a checkout.',
  ],
])('after %s the outcome is unknown, never a decline', async (_what, answer, why) => {
  const client = await clientOf(answer);
  const error = await caught(client.refund(refund));
  expect([error.kind, error.message]).toEqual(['unknown', `POST /api/v1/payment/refund: ${why} ${UNKNOWN}`]);
  expect(error).toMatchObject({ timedOut: false });
});

test('no answer in time is distinguished, and so is a call that was given up', async () => {
  const client = await clientOf(() => undefined);
  const late = await caught(client.refund(refund, { timeoutMs: 20 }));
  expect(late).toBeInstanceOf(UnknownOutcomeError);
  expect(late).toMatchObject({ timedOut: true, message: expect.stringContaining('No answer came within 20 ms.') });
  expect(await caught(client.refund(refund, { signal: AbortSignal.timeout(20) }))).toMatchObject({ timedOut: false });
});

test.each([
  [429, { 'retry-after': '7' }, 7],
  [409, {}, 1],
  [429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 1],
])('HTTP %i with %j asks to come again', async (status, headers, retryAfterSeconds) => {
  const body = { http_code: status, error_code: String(status), error_message: 'Later.', request_id: 'r-1' };
  const client = await clientOf(json(status, body, headers));
  const error = await caught(client.refund(refund));
  expect(error).toMatchObject({ kind: 'busy', retryAfterSeconds, requestId: 'r-1', status });
});

test('texts of issues keep their colons, and one without a path has none', async () => {
  const errors = ['parameters.pix.fine: Expected: digits.', 'Just a text: with a colon.'].map((error_message) => ({
    error_code: 100000,
    error_message,
  }));
  const client = await clientOf(json(400, { error_code: 0, error_message: 'Request data is invalid.', errors }));
  expect(await caught(client.refund(refund))).toMatchObject({
    issues: [
      { path: 'parameters.pix.fine', message: 'Expected: digits.' },
      { path: '', message: 'Just a text: with a colon.' },
    ],
  });
});

test('an error of another copy of the package is recognised, anything else is not', async () => {
  const client = await clientOf(() => undefined);
  const error = await caught(client.refund(refund, { timeoutMs: 1 }));
  const copy = Object.assign(new Error('copy'), { [Symbol.for('railyard.client.error')]: true });
  expect([error, copy, new Error('other'), undefined].map(isRailyardError)).toEqual([true, true, false, false]);
});

test('neither errors nor the client itself show a password, a secret or a hash', async () => {
  const sent: string[] = [];
  const fetch: Fetch = (_url, { body }) => {
    sent.push(String(JSON.parse(body).hash));
    return Promise.reject(new Error('refused'));
  };
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', merchantKey, password, callbackSecret, fetch });
  const error = await caught(client.refund(refund));
  const gatewayPage = await caught((await clientOf(json(500, { echo: password }))).refund(refund));
  const shown = [error, gatewayPage, client].map((each) => `${inspect(each, { depth: 20, showHidden: true })}`).join();
  expect(shown).toContain('POST /api/v1/payment/refund');
  for (const secret of [password, callbackSecret, ...sent]) expect(shown).not.toContain(secret);
});

test.each<[string, () => unknown, string]>([
  ['no key', () => createClient({ baseUrl: 'https://pay.example.com', merchantKey: '', password }), 'merchantKey: '],
  ['no password', () => createClient({ baseUrl: 'https://pay.example.com', merchantKey, password: '' }), 'password: '],
  ['no address', () => createClient({ baseUrl: password, merchantKey, password }), 'baseUrl: '],
  [
    'an address with a password',
    () => createClient({ baseUrl: `https://user:${password}@pay.example.com`, merchantKey, password }),
    'baseUrl: ',
  ],
  [
    'no time',
    () => createClient({ baseUrl: 'https://pay.example.com', merchantKey, password, timeoutMs: 0 }),
    'timeoutMs: ',
  ],
  [
    'a callback secret that is none',
    () => createClient({ baseUrl: 'https://pay.example.com', merchantKey, password, callbackSecret: password }),
    'callbackSecret: ',
  ],
  [
    'an empty callback secret',
    () => createClient({ baseUrl: 'https://pay.example.com', merchantKey, password, callbackSecret: '' }),
    'callbackSecret: ',
  ],
  [
    'no callback secret',
    () =>
      createClient({ baseUrl: 'https://pay.example.com', merchantKey, password }).verifyCallback({
        body: '',
        headers: {},
      }),
    'callbackSecret: ',
  ],
])('with %s it says which option is wrong, and repeats no value', (_what, make, option) => {
  expect(make).toThrow(RangeError);
  expect(make).toThrow(option);
  expect(make).not.toThrow(password);
});

test('an idempotency key that no header can carry is refused before anything is sent', async () => {
  let sent = 0;
  const fetch: Fetch = () => {
    sent += 1;
    return Promise.reject(new Error('sent'));
  };
  const client = createClient({ baseUrl: 'https://pay.example.com', merchantKey, password, fetch });
  for (const idempotencyKey of ['', 'two words', 'né', 'x'.repeat(256)])
    await expect(client.refund(refund, { idempotencyKey })).rejects.toThrow(RangeError);
  expect(sent).toBe(0);
});

test('an answer to something else is thrown with its status and request id', async () => {
  const client = await clientOf(json(200, { hello: 'world', request_id: 'r-1' }));
  expect(await caught(client.refund(refund))).toMatchObject({ kind: 'unknown', status: 200, requestId: 'r-1' });
});

test('a refusal and a wrong field are thrown with the hint of the service', async () => {
  const refusal = { error_code: '100000', error_message: 'Not for this method.', hint: 'Use pix.' };
  const refused = await caught((await clientOf(json(400, refusal))).refund(refund));
  expect(refused).toMatchObject({ kind: 'refused', hint: 'Use pix.' });
  const errors = [
    { error_code: 100000, error_message: 'amount: This value is not valid.', hint: 'For example 10.00.' },
    { error_code: 100000, error_message: 'payment_id: This value is not valid.' },
  ];
  const body = { error_code: 0, error_message: 'Request data is invalid.', errors };
  const invalid = await caught((await clientOf(json(400, body))).refund(refund));
  const wrong = { message: 'This value is not valid.', code: 100000 };
  expect(invalid).toHaveProperty('issues', [
    { path: 'amount', ...wrong, hint: 'For example 10.00.' },
    { path: 'payment_id', ...wrong },
  ]);
});
