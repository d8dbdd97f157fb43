import { request } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BadInput, bodyOperations, materialise, sessionInputs } from '../../../core/test/support/bad-inputs.ts';
import { ConfigError, startCheckout } from '../../src/index.ts';
import { anyMethodConfig, otherMerchant } from '../support/any-method-config.ts';
import { anyMethodService, errorLines, postRaw, type RawAnswer } from '../support/any-method-service.ts';
import { baseOperations, materialiseMethod, methodInputs } from '../support/method-inputs.ts';
import { callbackSecret } from '../support/receiver.ts';
import { merchant, pressPay, sessionBody } from '../support/service.ts';

/** Answered by tests of their own below, or where it says. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  B008: 'bytes',
  B010: 'bytes',
  B015: 'headers',
  B017: 'headers',
  B019: 'headers',
  B020: 'headers',
  B021: 'raw HTTP',
  B023: 'raw HTTP',
  B024: 'raw HTTP',
  B064: 'merchants',
  B066: 'merchants',
  B075: 'merchants',
  B086: 'repeats',
  B327: 'cards/tokens.test.ts',
  B374: 'headers',
  B405: 'forms',
  B418: 'repeats',
  B420: 'server/two-processes.test.ts',
  B421: 'sessions.test.ts, the duplicate window',
  B423: 'repeats',
  B425: 'sessions.test.ts, the duplicate window',
  B426: 'sessions.test.ts, the duplicate window',
};

/** Where the list leaves the answer open: what this service answers. */
const DECIDED: Readonly<Record<string, string>> = {
  B038: 'parameters.__proto__: This field was not expected.',
  B039: 'parameters.constructor: This field was not expected.',
  B044: 'custom_data.__proto__: This field was not expected.',
  B098: 'vat_calc: This value is only allowed with operation purchase.',
  B161: 'amount: This value should be greater than 0.',
  B222: 'order.description: This value contains characters that are not allowed.',
  B300: 'session_expiry: This value should be of type integer.',
  B303: 'session_expiry: This value should be of type integer.',
  B347: 'schedule_id: This value is not correct.',
  B358: 'customer.email: This value is not a valid email address.',
  B373: 'customer.ip: This field was not expected.',
  B408: 'custom_data: This value should be of type object.',
  B412: 'custom_data.id: This number has more digits than can be kept. Send it as a string.',
  B535: 'parameters.open-banking.payee_country: This value is not a valid country. Send two capital letters (ISO 3166-1 alpha-2), GB for example.',
  B606: 'parameters.no-such: This field was not expected.',
  B607: 'parameters.card.evil: This field was not expected.',
  B608: 'parameters.a.b c: This field was not expected.',
};

/** The whole body is above 256 KB, which is found before any field is looked at (decision: body limits). */
const TOO_LARGE: ReadonlySet<string> = new Set(['B056']);

let service: Awaited<ReturnType<typeof anyMethodService>>;
let address: string;

beforeAll(async () => {
  service = await anyMethodService();
  address = `${service.url}/api/v1/session`;
});

afterAll(() => service.stop());

const goodBody = () => sessionBody({ methods: ['card'] }, { currency: 'USD' });

/** The next good request works, whatever came before it. */
async function expectAlive(): Promise<void> {
  expect((await postRaw(address, JSON.stringify(goodBody()))).status).toBe(200);
}

function pageOf({ json }: RawAnswer): string {
  return String(Reflect.get(Object(json), 'redirect_url'));
}

/** The lines that an answer may have for this entry. A zero amount is published as `amount`. */
function named({ expect: { error_on: field = 'any', message } }: BadInput): RegExp {
  if (message !== undefined) return new RegExp(`^${message}$`);
  return field === 'any' ? /^.+: / : new RegExp(`^${field.replaceAll('.', String.raw`\.`)}(\\.\\S+)?: .`);
}

function expectAnswer(input: BadInput, answer: RawAnswer): void {
  const decided = DECIDED[input.id];
  const stated = TOO_LARGE.has(input.id) ? [413] : (input.expect.http ?? [200]);
  const statuses = decided === undefined ? stated : [400];
  expect(statuses).toContain(answer.status);
  if (answer.status === 200) return expect(pageOf(answer)).toContain('/auth/');
  if (answer.status !== 400) return;
  if (decided !== undefined) return expect(errorLines(answer.json)[0]).toBe(decided);
  expect(errorLines(answer.json)).toContainEqual(expect.stringMatching(named(input)));
}

/** A text at a path of the request, under its name in the callback. */
const CALLED_BACK: Readonly<Record<string, string>> = {
  'order.number': 'order_number',
  'order.amount': 'order_amount',
  'order.description': 'order_description',
};

/** Pays the session and compares what the merchant is told with what he sent. */
async function expectEcho(echo: string, text: string, answer: RawAnswer): Promise<void> {
  const sent = JSON.parse(text);
  expect((await pressPay(pageOf(answer), { method: sent.methods[0] })).status).toBe(303);
  const { fields } = await service.shop.until((callback) => callback.fields.order_number === sent.order.number);
  const value = echo.split('.').reduce<unknown>((at, name) => Reflect.get(Object(at), name), sent);
  const name = CALLED_BACK[echo];
  if (name !== undefined) return expect(fields[name]).toBe(value);
  for (const [key, each] of Object.entries(Object(value))) expect(fields[`${echo}[${key}]`]).toBe(each);
}

const bodies = sessionInputs.filter(({ id }) => !(id in ELSEWHERE));

describe('the list of bad inputs', () => {
  test('is taken up whole', () => {
    const told = [...Object.keys(ELSEWHERE), ...Object.keys(DECIDED), ...bodies.map(({ id }) => id)];
    const all = [...sessionInputs, ...methodInputs].map(({ id }) => id);
    expect(new Set([...told, ...methodInputs.map(({ id }) => id)])).toEqual(new Set(all));
    for (const { id, patch } of bodies) for (const { op } of patch) expect(bodyOperations.has(op), id).toBe(true);
  });

  test.each(bodies)('$id: $group, $description', async (input) => {
    const text = materialise(input);
    const answer = await postRaw(address, text);
    expectAnswer(input, answer);
    if (answer.status === 200 && input.expect.echo !== undefined) await expectEcho(input.expect.echo, text, answer);
    await expectAlive();
  });

  test.each(methodInputs)('$id: $group, $description', async (input) => {
    expectAnswer(input, await postRaw(address, materialiseMethod(input)));
    await expectAlive();
  });

  test('leaves the unpatched requests of the methods good', async () => {
    for (const base of ['pixin', 'pixout', 'card3', 'crypto', 'openbank']) {
      const input = {
        id: `base-${base}`,
        target: 'method',
        group: '',
        description: '',
        patch: baseOperations(base),
        expect: {},
      };
      expect((await postRaw(address, materialise(input))).status, base).toBe(200);
    }
  });
});

const entry = (id: string): BadInput => {
  const found = sessionInputs.find((each) => each.id === id);
  if (found === undefined) throw new Error(`There is no entry ${id}.`);
  return found;
};

const bytesOf = (...parts: (string | Uint8Array)[]) =>
  Uint8Array.from(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))));

describe('bytes', () => {
  test('B008: a byte order mark before the document is passed over', async () => {
    const mark = Uint8Array.from([0xef, 0xbb, 0xbf]);
    expect((await postRaw(address, bytesOf(mark, JSON.stringify(goodBody())))).status).toBe(200);
  });

  test('B010: bytes that are no UTF-8 are refused, not replaced', async () => {
    const [before = '', after = ''] = JSON.stringify(goodBody()).split('Important gift');
    const answer = await postRaw(address, bytesOf(before, Uint8Array.from([0xc3, 0x28]), after));
    expectAnswer(entry('B010'), answer);
  });
});

/** Sends what fetch cannot. */
function plain(method: string, headers: Readonly<Record<string, string>>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { method, headers }, (reply) => resolve(reply.resume().statusCode ?? 0));
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('headers', () => {
  test('B015: text/plain is refused', async () => {
    const answer = await postRaw(address, JSON.stringify(goodBody()), { 'content-type': 'text/plain' });
    expectAnswer(entry('B015'), answer);
  });

  test('B017: a body without a content type is refused', async () => {
    expect(await plain('POST', {}, JSON.stringify(goodBody()))).toBe(415);
  });

  test('B019: TRACE finds nothing', async () => {
    expect(entry('B019').expect.http).toContain(await plain('TRACE', {}, ''));
  });

  test('B020: a header that asks for another method is ignored', async () => {
    const headers = { 'content-type': 'application/json', 'x-http-method-override': 'DELETE' };
    expectAnswer(entry('B020'), await postRaw(address, JSON.stringify(goodBody()), headers));
  });

  test('B374: customer_ip is the address that the payer came from, whatever a header says', async () => {
    const body = goodBody();
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '1.2.3.4, 127.0.0.1' };
    const answer = await postRaw(address, JSON.stringify(body), headers);
    await fetch(`${pageOf(answer)}/pay`, {
      method: 'POST',
      headers: { 'x-forwarded-for': '1.2.3.4' },
      body: new URLSearchParams({ method: 'card' }),
      redirect: 'manual',
    });
    const { fields } = await service.shop.until((callback) => callback.fields.order_number === body.order.number);
    expect(fields.customer_ip).toBe('127.0.0.1');
  });
});

/** Writes to the service's socket and reads until the service ends the connection. */
function raw(...texts: readonly string[]): Promise<string> {
  const { port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    let read = '';
    const socket = connect(Number(port), '127.0.0.1', () => {
      for (const text of texts) socket.write(text);
    });
    socket.setEncoding('latin1').on('data', (text: string) => (read += text));
    socket.on('close', () => resolve(read));
    socket.on('error', reject);
  });
}

describe('raw HTTP', () => {
  test('B021: two lengths at once are refused, and what is smuggled in is not answered', async () => {
    const smuggled = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';
    const read = await raw(
      `POST /api/v1/session HTTP/1.1\r\nhost: x\r\ncontent-length: ${smuggled.length + 5}\r\ntransfer-encoding: chunked\r\n\r\n`,
      `0\r\n\r\n${smuggled}`,
    );
    expect(read).toMatch(/^HTTP\/1\.1 400 /);
    expect(read.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  test('B023: headers that never end are given up within 30 seconds', { timeout: 30_000 }, async () => {
    expect(await raw('POST /api/v1/session HTTP/1.1\r\nhost: x\r\nx-slow: ')).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('B024: a packed body is not unpacked', async () => {
    const bomb = Uint8Array.from(gzipSync(Buffer.alloc(32 * 1024 * 1024)));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expectAnswer(entry('B024'), await postRaw(address, bomb, headers));
    await expectAlive();
  });
});

describe('merchants', () => {
  test('B064: the key of one merchant with the password of another is refused', async () => {
    const answer = await postRaw(address, JSON.stringify({ ...goodBody(), merchant_key: otherMerchant.key }));
    expectAnswer(entry('B064'), answer);
  });

  test('B066: a merchant who is taken out of the configuration is refused like one who never was', async () => {
    const gone = JSON.stringify({ ...goodBody(), merchant_key: '33333333-2222-4333-8444-555555555555' });
    const answer = await postRaw(address, gone);
    expectAnswer({ ...entry('B066'), expect: { http: [400], error_on: 'hash' } }, answer);
  });

  test('B075: a merchant without a password keeps the service from starting', async () => {
    const config = anyMethodConfig({ providerUrl: service.provider.url, callbackUrl: service.shop.url, port: 0 });
    const merchants = config.merchants.map((each) => ({ ...each, password: '' }));
    const started = startCheckout({ ...config, merchants });
    await expect(started).rejects.toBeInstanceOf(ConfigError);
    await expect(started).rejects.toThrow('merchants.0.password: ');
  });
});

test('B405: a form that the merchant does not have is refused', async () => {
  const body = { ...goodBody(), form_id: '57fddecf-17b9-4d38-9320-a670f0c29ec0' };
  const answer = await postRaw(address, JSON.stringify(body));
  expectAnswer(entry('B405'), answer);
  expect(errorLines(answer.json)).toEqual(['form_id: This value is not correct.']);
});

describe('repeats', () => {
  const send = async (body: object) => (await postRaw(address, JSON.stringify(body))).status;

  test('B086, B418: the second of two equal requests is refused', async () => {
    const body = goodBody();
    const headers = { 'content-type': 'application/json', 'webhook-id': 'msg_1' };
    expect((await postRaw(address, JSON.stringify(body), headers)).status).toBe(200);
    const again = await postRaw(address, JSON.stringify(body), headers);
    expect(again).toMatchObject({ status: 400, json: { error_message: 'Duplicate request.' } });
  });

  test('B423: a request that was refused may be sent again at once, corrected', async () => {
    const good = goodBody();
    expect([await send({ ...good, order: { ...good.order, amount: '1,00' } }), await send(good)]).toEqual([400, 200]);
  });
});

test('nothing was a fault, and no secret or card number stands in the log', async () => {
  const log = service.lines.join('\n');
  expect(log).toContain('session-created');
  expect(log).not.toContain('request-failed');
  for (const secret of [merchant.password, otherMerchant.password, callbackSecret, '4111111111111111', '4111 1111'])
    expect(log).not.toContain(secret);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});
