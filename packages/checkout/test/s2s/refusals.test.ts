import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otherMerchant } from '../support/any-method-config.ts';
import { postRaw } from '../support/any-method-service.ts';
import {
  type CommandReply,
  type Fields,
  payoutFields,
  refusalLines,
  sendCommand,
  statusFields,
} from '../support/commands.ts';
import { pixConfig } from '../support/pix-config.ts';
import { type PixProvider, pixProvider } from '../support/pix-provider.ts';
import { startOn } from '../support/service.ts';

let provider: PixProvider;
let service: Awaited<ReturnType<typeof startOn>>;

/** Callbacks only into the internet; of the other merchant none can be signed. */
beforeAll(async () => {
  provider = await pixProvider();
  service = await startOn((port) => {
    const { merchants, ...config } = pixConfig(provider, 'https://shop.example/callbacks', port);
    const others = merchants.map(
      ({ callbackUrl: _url, callbackSecret: _secret, testKey: _key, test: _test, ...each }) => ({
        ...each,
        ...otherMerchant,
      }),
    );
    return {
      ...config,
      callbackNetwork: 'public',
      merchants: [...merchants, ...others],
      rateLimits: { merchant: { requests: 200, seconds: 3600 } },
    };
  });
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

const BLANK = 'This value should not be blank.';
const CHOICE = 'The value you selected is not a valid choice.';
const UNEXPECTED = 'This field was not expected.';
const FORM = 'application/x-www-form-urlencoded';

async function expectRefused(reply: CommandReply, lines: readonly string[]): Promise<void> {
  expect([reply.status, refusalLines(reply)]).toEqual([400, lines]);
  expect(reply.json).toMatchObject({
    http_code: 400,
    result: 'ERROR',
    error_code: 100_000,
    error_message: 'Request data is invalid.',
    request_id: expect.any(String),
  });
  expect(provider.ledger).toEqual([]);
}

async function sendJson(body: string, type: string): Promise<CommandReply> {
  const { status, json } = await postRaw(`${service.url}/post`, body, { 'content-type': type });
  return { status, json: Object(json) };
}

describe('a payout is refused', () => {
  test.each<[Fields, string[]]>([
    [{ action: '' }, [`action: ${BLANK}`]],
    [{ action: 'PAY' }, [`action: ${CHOICE}`]],
    [{ action: '__proto__' }, [`action: ${CHOICE}`]],
    [{ client_key: '' }, [`client_key: ${BLANK}`]],
    [{ hash: '' }, [`hash: ${BLANK}`]],
    [{ hash: 'x' }, ['hash: Hash is not valid.']],
    [{ client_key: 'nobody' }, ['hash: Hash is not valid.']],
    [{ brand: '' }, [`brand: ${BLANK}`]],
    [{ brand: 'b'.repeat(37) }, ['brand: This value is too long. It should have 36 characters or less.']],
    [{ brand: 'unheard-of' }, [`brand: ${CHOICE}`]],
    [{ order_id: '' }, [`order_id: ${BLANK}`]],
    [{ order_id: 'ab' }, ['order_id: This value is too short. It should have 3 characters or more.']],
    [{ order_amount: '0' }, ['order_amount: This value should be greater than 0.']],
    [{ order_amount: '1e3' }, ['order_amount: This value is not valid.']],
    [{ order_amount: '1.234' }, ['order_amount: This value should have 2 decimals or less.']],
    [{ order_currency: 'USD' }, [`order_currency: ${CHOICE}`]],
    [{ order_description: 'x' }, ['order_description: This value is too short. It should have 2 characters or more.']],
    [{ 'parameters[key]': '' }, [`parameters[key]: ${BLANK}`]],
    [{ 'parameters[kee]': 'x' }, [`parameters[kee]: ${UNEXPECTED}`]],
    [{ 'parameters[key][]': 'x' }, [`parameters[key][]: ${UNEXPECTED}`]],
    [{ 'parameters[a][4294967294]': 'x' }, [`parameters[a]: ${UNEXPECTED}`]],
    [{ 'parameters[__proto__][polluted]': 'x' }, [`parameters[__proto__][polluted]: ${UNEXPECTED}`]],
    [{ parameters: 'x', 'parameters[key]': '' }, ['parameters: This value should be of type object.']],
    [{ custom_data: 'x' }, ['custom_data: This value should be of type object.']],
    [{ channel_id: 'c'.repeat(17) }, ['channel_id: This value is too long. It should have 16 characters or less.']],
    [{ channel_id: 'none' }, [`channel_id: ${CHOICE}`]],
    [{ payee_first_name: 'Ann' }, [`payee_last_name: ${BLANK}`]],
    [{ payee_email: 'a@example.com' }, [`payee_first_name: ${BLANK}`, `payee_last_name: ${BLANK}`]],
    [
      { payee_first_name: 'Ann', payee_last_name: 'Lee', payee_email: 'a@' },
      ['payee_email: This value is not a valid email address.'],
    ],
    [{ payee_country: 'Kenya' }, ['payee_country: This value is not a valid country.']],
    [{ payer_ip: '1.2.3' }, ['payer_ip: This value is not a valid IP address.']],
    [{ callback_url: 'http://shop.example/c' }, ['callback_url: This value is not a valid URL.']],
    [{ callback_url: 'https://10.0.0.1/c' }, ['callback_url: This value is not a valid URL.']],
    [{ callback_url: 'https://localhost/c' }, ['callback_url: This value is not a valid URL.']],
    [{ callback_url: 'shop.example' }, ['callback_url: This value is not a valid URL.']],
    [
      { callback_url: `https://shop.example/${'c'.repeat(240)}` },
      ['callback_url: This value is too long. It should have 255 characters or less.'],
    ],
  ])('%j', async (change, lines) => {
    await expectRefused(await sendCommand(service.url, payoutFields(change)), lines);
  });

  test('when it names a field twice', async () => {
    const fields = new URLSearchParams(payoutFields());
    fields.append('order_amount', '11.00');
    await expectRefused(await sendCommand(service.url, fields), ['order_amount: This value is not valid.']);
  });

  test('when its JSON gives a name twice, also inside of an object', async () => {
    const json = JSON.stringify(payoutFields());
    const twice = json.replace('{', '{"order_amount":"11.00",');
    const nested = json.replace('{', String.raw`{"parameters":{"a":[{"b":"1","c":{"b":"1"}},{"b":"1","\u0062":"2"}]},`);
    for (const type of ['application/json', FORM]) {
      await expectRefused(await sendJson(twice, type), ['order_amount: This value is not valid.']);
      await expectRefused(await sendJson(nested, type), ['parameters.a.1.b: This value is not valid.']);
    }
  });

  test('when it has an address for callbacks that cannot be signed', async () => {
    const fields = payoutFields({ callback_url: 'https://shop.example/c' }, otherMerchant);
    const lines = ['callback_url: Callbacks are signed, and this merchant has no secret for callbacks.'];
    await expectRefused(await sendCommand(service.url, fields), lines);
  });

  test('when a field is a file', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(payoutFields())) form.append(name, value);
    form.append('payee_email', new Blob(['x']), 'a.txt');
    await expectRefused(await sendCommand(service.url, form), ['payee_email: This value should be of type string.']);
  });
});

describe('a lookup is refused', () => {
  const unknown = '22222222-3333-4444-8555-666666666666';

  test.each([unknown, 'no-id', 'x\u0000y'])('of the transaction %j, which does not exist', async (id) => {
    const reply = await sendCommand(service.url, statusFields(id), {}, '/post-va');
    if (id.includes('\u0000'))
      return expectRefused(reply, ['trans_id: This value contains characters that are not allowed.']);
    expect(reply).toEqual({
      status: 400,
      json: {
        http_code: 400,
        result: 'ERROR',
        error_code: 101_000,
        error_message: 'Transaction does not exist.',
        request_id: expect.any(String),
      },
    });
  });

  test('with the hash of another transaction', async () => {
    const fields = { ...statusFields('other'), trans_id: unknown };
    const reply = await sendCommand(service.url, fields, {}, '/post-va');
    await expectRefused(reply, ['hash: Hash is not valid.']);
  });
});

describe('what is no command', () => {
  const send = (body: BodyInit, headers: Record<string, string>, method = 'POST') =>
    fetch(`${service.url}/post`, { method, headers, ...(method === 'POST' && { body }) });

  test.each<[string, BodyInit, Record<string, string>, number]>([
    ['a text', 'x', { 'content-type': 'text/plain' }, 415],
    ['a packed form', 'x', { 'content-type': FORM, 'content-encoding': 'gzip' }, 415],
    ['too large a form', `a=${'x'.repeat(300_000)}`, { 'content-type': FORM }, 413],
    ['too many fields', 'a=&'.repeat(20_000), { 'content-type': FORM }, 400],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe]), { 'content-type': FORM }, 400],
    ['JSON that is no object', '{"a":', { 'content-type': FORM }, 400],
    ['a multipart form without an end', '--b\r\nx', { 'content-type': 'multipart/form-data; boundary=b' }, 400],
    ['a multipart form without a boundary', 'x', { 'content-type': 'multipart/form-data' }, 400],
  ])('%s is refused', async (_what, body, headers, status) => {
    const reply = await send(body, headers);
    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ http_code: status, result: 'ERROR', error_message: expect.any(String) });
  });

  test('refuses too many parts before it reads them, whatever edge another parameter of the content type seems to name', async () => {
    const part = '--edge\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n';
    // Without an end it cannot be read, so that only a count can be what refuses it.
    const reply = await send(part.repeat(502), {
      'content-type': 'multipart/form-data; note="; boundary=other"; boundary=edge',
    });
    expect(await reply.json()).toMatchObject({
      http_code: 400,
      errors: [{ error_message: expect.stringMatching(/500/) }],
    });
  });

  test('another verb is answered: use POST', async () => {
    const reply = await send('', {}, 'GET');
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

test('signed commands count for the merchant’s limit', async () => {
  const ask = () => sendCommand(service.url, statusFields('none', otherMerchant));
  const replies = await Promise.all(Array.from({ length: 210 }, ask));
  const limited = replies.find(({ status }) => status === 429);
  expect(limited?.json).toMatchObject({ http_code: 429, result: 'ERROR', error_code: 429 });
});
