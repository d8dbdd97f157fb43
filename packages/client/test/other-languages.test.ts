import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { webhookSignature } from '@railyard/core/merchant';
import { type SignOptions, signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, type TestContext } from 'vitest';
import * as z from 'zod';
import { acquirerService, type AcquirerService, told } from '../../checkout/test/support/acquirer-service.ts';
import { CARD, payByCard } from '../../checkout/test/support/card-service.ts';
import { listen, portOf } from '../../checkout/test/support/listen.ts';
import { callbackSecret } from '../../checkout/test/support/receiver.ts';
import { merchant } from '../../checkout/test/support/service.ts';
import { blocksOf } from '../../../test/docs/blocks.ts';
import { requireTool } from '../../../test/support/tool.ts';
import { authority } from '../../runtime/test/support/authority.ts';
import { type Call, callIn, type Language, LANGUAGES } from './support/languages.ts';

const languages: readonly Language[] = ['PHP', 'Python'];
const requestKey = { id: 'shop-server', secret: `whsec_${btoa('the-request-key-of-this-client..')}` };
const PASSWORD = 'Password-Canary-01';
const CARD_NUMBER = '4601541833776519';
const root = new URL('../../../', import.meta.url);

let service: AcquirerService;
beforeAll(async () => {
  service = await acquirerService({
    requestKeys: [{ ...requestKey, permissions: ['create', 'read', 'refund', 'pay-out'] }],
    moneyOut: true,
    legacySignatures: 'money-in',
    legacyAddresses: [],
  });
});
afterAll(() => service.stop());
beforeEach(() => {
  service.state.answer = () => undefined;
});

/** A server that keeps the bodies of requests, and answers none. */
async function recorder() {
  const bodies: unknown[] = [];
  const server = await listen((request, body) => {
    bodies.push(JSON.parse(body));
    request.socket.destroy();
  });
  onTestFinished(() => server.close());
  return { url: server.url, bodies };
}

let orders = 0;
function newOrder(amount = '10.00') {
  orders += 1;
  return { number: `other-${process.pid}-${orders}`, amount, currency: 'USD', description: 'Straße № 1 🎁' };
}

const session = (order: ReturnType<typeof newOrder>, more: Readonly<Record<string, unknown>> = {}) => ({
  operation: 'purchase',
  methods: ['card'],
  success_url: 'https://shop.example/success?a=1',
  order,
  ...more,
});

/** The clients of one language, for the merchant of the service. */
function clientIn(ctx: TestContext, language: Language) {
  const byHash = { baseUrl: service.url, merchantKey: merchant.key, password: merchant.password, callbackSecret };
  const run = (call: Omit<Call, 'client'>, client: Call['client'] = byHash) =>
    callIn(ctx, language, { ...call, client });
  const answer = async (call: string, ...args: readonly unknown[]): Promise<Record<string, unknown>> => {
    const said = await run({ call, args });
    expect(said.error ?? said.wrong).toBeUndefined();
    return Object(said.answer);
  };
  /** Pays by card. */
  const paid = async (more: Readonly<Record<string, unknown>> = {}, order = newOrder()) => {
    const { redirect_url } = await answer('createSession', session(order, more));
    await payByCard(String(redirect_url), CARD);
    const callback = await told(service, order.number, { type: 'sale', status: 'success' });
    return { order, callback, payment_id: callback['id'] ?? '', page: String(redirect_url) };
  };
  return { run, answer, paid, byHash };
}

describe.each(languages)('the client in %s', (language) => {
  test('is paid, asks for the status, refunds a part and verifies both callbacks, and no forged one', async (ctx) => {
    const { answer, paid } = clientIn(ctx, language);
    const custom_data = { cart: { id: 'x&order_status=y', 'a.b c': 'ü' } };
    const { order, payment_id } = await paid({ custom_data });
    const settled = { payment_id, status: 'settled', order };
    expect(await answer('status', { payment_id })).toMatchObject(settled);
    expect(await answer('orderStatus', { order_id: order.number })).toMatchObject(settled);
    expect(await answer('refund', { payment_id, amount: '4.00' })).toEqual({ payment_id, result: 'accepted' });
    await told(service, order.number, { type: 'refund', status: 'success' });
    const received = service.shop.received.filter(({ fields }) => fields['order_number'] === order.number);
    const types = [];
    for (const { body, headers } of received) {
      const checked = await answer('verifyCallback', body, headers);
      expect(checked).toMatchObject({
        ok: true,
        callback: { fields: { id: payment_id, order_description: order.description, custom_data } },
      });
      types.push(Object(checked['callback']).fields.type);
      expect(await answer('verifyCallback', body.replace('success', 'fail'), headers)).toEqual({
        ok: false,
        reason: 'wrong-signature',
      });
      expect(await answer('verifyCallback', body, { ...headers, 'webhook-id': 'msg_0' })).toMatchObject({
        reason: 'wrong-signature',
      });
      expect(await answer('verifyCallback', body, {})).toEqual({ ok: false, reason: 'no-signature' });
    }
    expect(types).toEqual(['sale', 'refund']);
  });

  test('refuses a callback that is more than five minutes old or early', async (ctx) => {
    const { run, paid } = clientIn(ctx, language);
    const { order } = await paid();
    const { body, headers } = await service.shop.until(({ fields }) => fields['order_number'] === order.number);
    const at = Number(headers['webhook-timestamp']);
    const reasonAt = async (now: number) =>
      Object((await run({ call: 'verifyCallback', args: [body, headers], named: { now } })).answer).reason;
    expect([await reasonAt(at + 301), await reasonAt(at - 301), await reasonAt(at + 300)]).toEqual([
      'too-old',
      'too-new',
      undefined,
    ]);
  });

  test('reads a callback in JSON, and no signed text that is not a callback or gives a name twice', async (ctx) => {
    const { answer } = clientIn(ctx, language);
    const fields = {
      id: 'p-1',
      order_number: 'o-1',
      order_amount: '10.00',
      order_currency: 'USD',
      order_description: 'Two books',
      order_status: 'settled',
      type: 'sale',
      status: 'success',
      hash: 'h',
      custom_data: { list: [1, 'ü'] },
    };
    const check = (body: string) => {
      const signed = { id: 'msg_1', timestamp: String(Math.floor(Date.now() / 1000)) };
      const signature = webhookSignature(callbackSecret, signed, new TextEncoder().encode(body));
      const headers = {
        'Webhook-Id': signed.id,
        'Webhook-Timestamp': signed.timestamp,
        'Webhook-Signature': signature,
      };
      return answer('verifyCallback', body, headers);
    };
    expect(await check(JSON.stringify(fields))).toMatchObject({ ok: true, callback: { fields } });
    const { custom_data: _, ...texts } = fields;
    const form = String(new URLSearchParams(texts));
    expect(await check(form)).toMatchObject({ ok: true, callback: { fields: texts } });
    for (const body of [`${form}&status=fail`, '{"id":"p-1"}', '{', 'hello', `${form}&custom_data=1&custom_data[a]=2`])
      expect(await check(body)).toEqual({ ok: false, reason: 'unreadable' });
  });

  test('captures a part of a hold, and takes a settled payment back', async (ctx) => {
    const { answer, paid } = clientIn(ctx, language);
    const held = await paid({ auth: true });
    const { payment_id } = held;
    expect(await answer('capture', { payment_id, amount: '6.00' })).toEqual({ payment_id, result: 'accepted' });
    await told(service, held.order.number, { type: 'capture', status: 'success' });
    const settled = await paid();
    expect(await answer('void', { payment_id: settled.payment_id })).toMatchObject({
      status: 'SUCCESS',
      payment_status: 'void',
    });
  });

  test('charges a mandate again, and tries a soft decline again', async (ctx) => {
    const { answer, paid } = clientIn(ctx, language);
    const { recurring_init_trans_id, recurring_token } = (await paid({ recurring_init: true })).callback;
    /** Charges again. @returns the callback, which comes also where the answer has to say `pending` */
    const charged = async (status: string) => {
      const { currency: _, ...order } = newOrder('7.50');
      const { payment_id } = await answer('recurring', { recurring_init_trans_id, recurring_token, order });
      expect(await told(service, order.number, { status })).toMatchObject({ id: payment_id });
      return payment_id;
    };
    await charged('success');
    service.state.answer = ({ url }) =>
      url.includes('/v1/agreements/')
        ? {
            status: 402,
            body: { id: `declined-${language}`, status: 'DECLINED', amount: 750, currency: 'USD', response_code: '51' },
          }
        : undefined;
    const payment_id = await charged('fail');
    service.state.answer = () => undefined;
    expect(await answer('retry', { payment_id })).toEqual({ payment_id, result: 'accepted' });
  });

  test('pays out to a card with a request key, and is refused with the hash alone', async (ctx) => {
    const { run, byHash } = clientIn(ctx, language);
    const { number, amount, currency, description } = newOrder('25.00');
    const payout = {
      order_id: number,
      order_amount: amount,
      order_currency: currency,
      order_description: description,
      card_number: CARD_NUMBER,
      payee_first_name: 'Jane',
      payee_last_name: 'Roe',
    };
    const { password: _, ...byKey } = { ...byHash, requestKey };
    expect((await run({ call: 'credit', args: [payout] })).error).toMatchObject({ kind: 'refused', status: 403 });
    expect((await run({ call: 'credit', args: [payout] }, byKey)).answer).toMatchObject({ result: 'accepted' });
    expect(await told(service, number, { type: 'credit' })).toMatchObject({ status: 'success' });
  });

  test('recognises the return of its order, by its state or by its hash, and no altered one', async (ctx) => {
    const { run, paid, byHash } = clientIn(ctx, language);
    const { order, page } = await paid();
    const back = await (await fetch(page, { redirect: 'manual' })).text();
    const { search } = new URL(
      (/https:\/\/shop\.example\/success[^"]*/.exec(back)?.[0] ?? '').replaceAll('&amp;', '&'),
    );
    const { callbackSecret: _, ...withoutSecret } = byHash;
    const check = async (query: string, of: object, client = byHash as Call['client']) =>
      (await run({ call: 'verifyReturn', args: [query, of] }, client)).answer;
    const right = { ok: true, return: { order_id: order.number, status: 'settled' } };
    expect(await check(search, order)).toMatchObject(right);
    expect(await check(search.replace('state=settled', 'state=decline'), order)).toEqual({
      ok: false,
      reason: 'wrong-state',
    });
    expect(await check(search, { ...order, number: 'another' })).toEqual({ ok: false, reason: 'other-order' });
    expect(await check(search, order, withoutSecret)).toMatchObject({ ok: true, return: { order_id: order.number } });
    expect(await check(search, { ...order, amount: '1.00' }, withoutSecret)).toEqual({
      ok: false,
      reason: 'wrong-hash',
    });
    expect(await check('', order)).toEqual({ ok: false, reason: 'no-signature' });
    expect(await check(`${search}&order_id=another`, order)).toEqual({ ok: false, reason: 'no-signature' });
  });

  test('tells a wrong signature, a wrong field and an unknown payment apart, with code, reason and fields', async (ctx) => {
    const { run, answer, paid, byHash } = clientIn(ctx, language);
    const other = await run({ call: 'createSession', args: [session(newOrder())] }, { ...byHash, password: 'other' });
    expect(other.error).toMatchObject({
      kind: 'invalid',
      status: 400,
      issues: [{ path: 'hash', message: 'Hash is not valid.', code: 100000 }],
      requestId: expect.any(String),
      message: 'POST /api/v1/session: hash: Hash is not valid.',
    });
    const wrong = await run({ call: 'createSession', args: [session({ ...newOrder(), currency: 'XXX' })] });
    expect(wrong.error).toMatchObject({ kind: 'invalid', issues: [{ path: 'order.currency' }] });
    const missing = { payment_id: '33333333-4444-4555-8666-777777777777' };
    const unknown = await run({ call: 'status', args: [missing] });
    expect(unknown.error).toMatchObject({ kind: 'refused', errorCode: '101000', reason: 'Payment does not exist.' });
    const { payment_id } = await paid();
    const more = await run({ call: 'refund', args: [{ payment_id, amount: '10.01' }] });
    expect(more.error).toMatchObject({ kind: 'refused', errorCode: '208006' });
    expect(await answer('status', { payment_id })).toMatchObject({ status: 'settled' });
  });

  test('gets the first answer again for a repeat with the same idempotency key', async (ctx) => {
    const { run } = clientIn(ctx, language);
    const order = newOrder();
    const create = (named: Call['named'] = {}) => run({ call: 'createSession', args: [session(order)], named });
    const first = await create({ idempotencyKey: `session-${order.number}` });
    expect(first.answer).toMatchObject({ redirect_url: expect.stringContaining('/auth/') });
    expect(await create({ idempotencyKey: `session-${order.number}` })).toEqual(first);
    expect((await create()).error).toMatchObject({ kind: 'refused', reason: 'Duplicate request.' });
  });

  const json = (status: number, body: unknown): RequestListener => {
    return (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' }).end(JSON.stringify(body));
    };
  };

  test.for<[string, RequestListener, object]>([
    ['no answer in time', () => undefined, { kind: 'unknown', timedOut: true }],
    [
      'an answer that stops half-way',
      (_request, response) => void response.writeHead(200, { 'content-length': '100' }).write('{"payment_id":'),
      { kind: 'unknown', timedOut: true },
    ],
    ['a connection that breaks', (request) => request.socket.destroy(), { kind: 'unknown', timedOut: false }],
    [
      'a page of a gateway',
      (_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'),
      { kind: 'unknown', status: 502, timedOut: false },
    ],
    [
      'an error of the service',
      json(503, { error_code: 503, error_message: 'The service is not available.' }),
      { kind: 'unknown', status: 503, errorCode: '503', timedOut: false },
    ],
    [
      'an address that sends elsewhere',
      (_request, response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
      { kind: 'unknown', status: 307, timedOut: false },
    ],
    [
      'an answer that has no end',
      (_request, response) => {
        response.writeHead(200, { connection: 'close' });
        const dripping = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(dripping));
      },
      { kind: 'unknown', timedOut: true },
    ],
    [
      'an answer to something else',
      json(200, { hello: 'world', request_id: 'r-1' }),
      { kind: 'unknown', timedOut: false, status: 200, requestId: 'r-1' },
    ],
    [
      'a refusal with a hint',
      json(400, { error_code: '100000', error_message: 'Not for this method.', hint: 'Use pix.' }),
      { kind: 'refused', reason: 'Not for this method.', hint: 'Use pix.' },
    ],
    [
      'a wrong field with a hint',
      json(400, {
        error_code: 0,
        error_message: 'Request data is invalid.',
        errors: [{ error_code: 100000, error_message: 'amount: This value is not valid.', hint: 'For example 10.00.' }],
      }),
      { kind: 'invalid', issues: [{ path: 'amount', hint: 'For example 10.00.' }] },
    ],
    [
      'too many requests',
      json(429, { error_code: 429, error_message: 'Too many requests.' }),
      { kind: 'busy', retryAfterSeconds: 7 },
    ],
  ])('reports %s by its kind and fields', async ([, answer, expected], ctx) => {
    const server = await listen((request, _body, response) => answer(request, response));
    onTestFinished(() => server.close());
    // Only where the time has to end: a slow machine needs more for an answer.
    const timeoutMs = Object(expected).timedOut === true ? 500 : 60_000;
    const client = { baseUrl: server.url, merchantKey: merchant.key, password: PASSWORD, timeoutMs };
    const call = { call: 'refund', args: [{ payment_id: 'p-1', amount: '1.00' }] };
    const { error } = await callIn(ctx, language, { client, ...call });
    expect(error).toMatchObject(expected);
  });

  test('shows in errors and their traces no password, secret, hash or card number', async (ctx) => {
    const { url, bodies } = await recorder();
    const client = { baseUrl: url, merchantKey: merchant.key, password: PASSWORD, requestKey, callbackSecret };
    const { callbackSecret: _, ...byHash } = client;
    const payout = { order_id: 'o-1', order_amount: '1.00', order_currency: 'USD', order_description: 'One' };
    const said = [
      await callIn(ctx, language, { client, call: 'credit', args: [{ ...payout, card_number: CARD_NUMBER }] }),
      await callIn(ctx, language, { client, call: 'credit', args: [{ card_number: CARD_NUMBER }] }),
      await callIn(ctx, language, {
        client: byHash,
        call: 'verifyReturn',
        args: ['payment_id=p&trans_id=t&order_id=o-1&hash=Hash-Canary', { number: 'o-1' }],
      }),
      await callIn(ctx, language, {
        client: { ...client, callbackSecret: `${callbackSecret}!` },
        call: 'status',
        args: [],
      }),
    ];
    expect(said.map(({ error, wrong }) => error?.kind ?? wrong)).toEqual([
      'unknown',
      'order_id: is missing.',
      'currency: is missing.',
      'A secret is "whsec_" and Base64.',
    ]);
    const { hash } = z.object({ hash: z.string() }).parse(bodies[0]);
    const hidden = [PASSWORD, requestKey.secret, callbackSecret, CARD_NUMBER, hash, 'Hash-Canary'];
    expect(hidden.filter((each) => JSON.stringify(said).includes(each))).toEqual([]);
  });

  test.for<[string, Omit<Call, 'client'>, string]>([
    [
      'an amount that is no string',
      { call: 'refund', args: [{ payment_id: 'p-1', amount: 4.5 }] },
      'amount: expected a string such as "10.00", got float.',
    ],
    [
      'an id that is no string',
      { call: 'refund', args: [{ payment_id: 7, amount: '4.50' }] },
      'payment_id: expected a string, got int.',
    ],
    ['a refund without its payment', { call: 'refund', args: [{ amount: '4.50' }] }, 'payment_id: is missing.'],
    ['a session without an order', { call: 'createSession', args: [{ operation: 'purchase' }] }, 'order: is missing.'],
  ])('refuses %s before anything is sent', async ([, call, wrong], ctx) => {
    const { run } = clientIn(ctx, language);
    expect((await run(call)).wrong).toBe(wrong);
  });

  test('refuses the id of a request key that no header can hold', async (ctx) => {
    const { run, byHash } = clientIn(ctx, language);
    const client = { ...byHash, requestKey: { ...requestKey, id: 'shop\nserver' } };
    const said = await run({ call: 'status', args: [{ payment_id: 'p-1' }] }, client);
    expect(said.wrong).toMatch(/^request_?key: expected the id that the checkout gave you\.$/i);
  });

  test('sends empty objects as objects', async (ctx) => {
    const { run, byHash } = clientIn(ctx, language);
    const { url, bodies } = await recorder();
    const empty = { customer: {}, billing_address: {}, custom_data: {}, parameters: { card: {} } };
    await run({ call: 'createSession', args: [session(newOrder(), empty)] }, { ...byHash, baseUrl: url });
    await run({ call: 'createSession', args: [session(newOrder(), { parameters: {} })] }, { ...byHash, baseUrl: url });
    expect(bodies).toMatchObject([empty, { parameters: {}, methods: ['card'] }]);
    expect(JSON.stringify(bodies)).not.toContain('[]');
  });

  test('sends nothing to a server whose certificate is not trusted', async (ctx) => {
    const { run, byHash } = clientIn(ctx, language);
    const issuer = authority('Authority of a test');
    let requests = 0;
    const server = createTlsServer(issuer.issue('127.0.0.1'), json(429, { error_message: 'Too many requests.' }));
    server.on('request', () => (requests += 1));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const folder = await mkdtemp(join(tmpdir(), 'railyard-tls-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const trusted = join(folder, 'ca.pem');
    await writeFile(trusted, issuer.ca);
    const client = { ...byHash, baseUrl: `https://127.0.0.1:${portOf(server)}` };
    const call = { call: 'status', args: [{ payment_id: 'p-1' }] };
    expect((await run(call, client)).error).toMatchObject({ kind: 'unknown', timedOut: false });
    expect(requests).toBe(0);
    const known = await run({ ...call, env: { SSL_CERT_FILE: trusted } }, client);
    expect(known.error).toMatchObject({ kind: 'busy', retryAfterSeconds: 7 });
  });
});

const texts = z.object({
  vectors: z.array(
    z.object({
      number: z.string(),
      amount: z.string().nullable(),
      currency: z.string(),
      description: z.string(),
      password: z.string(),
      php_strtoupper: z.string(),
    }),
  ),
});
const file = new URL('../../core/test/fixtures/hash-vectors.json', import.meta.url);
const { vectors } = texts.parse(JSON.parse(readFileSync(file, 'utf8')));

/** The first program of the README of each client, and the lines that a reader writes otherwise. */
const READMES = {
  PHP: {
    path: 'clients/php/README.md',
    loads: ["__DIR__ . '/vendor", `'${fileURLToPath(new URL('clients/php', root))}`],
  },
  Python: { path: 'clients/python/README.md', loads: ['', ''] },
} as const;

test.for(languages)('the program in the README of the client in %s creates a session', async (language, ctx) => {
  const { answer } = clientIn(ctx, language);
  const { path, loads } = READMES[language];
  const [from, to] = loads;
  const { number } = newOrder();
  const readme = { path, text: readFileSync(new URL(path, root), 'utf8') };
  const program = blocksOf(readme).find((block) => block.language === language.toLowerCase())?.text ?? '';
  const written = program
    .replace(from, to)
    .replace('https://pay.example.com', service.url)
    .replace('your password', merchant.password)
    .replaceAll('order-1234', number);
  expect(written).toContain(merchant.key);
  const stdout = await programIn(ctx, language, written.replace('<?php', ''));
  expect(stdout).toMatch(/^http.*\/auth\//);
  expect(await answer('orderStatus', { order_id: number })).toMatchObject({ status: 'prepare' });
});

test.for(languages)('the recorded orders have in %s the hashes that PHP gave them', async (language, ctx) => {
  const args = vectors.map(({ number, amount, currency, description, password }) => {
    const formula = amount === null ? 'session_without_amount' : 'session';
    return [formula, { number, currency, description, ...(amount !== null && { amount }) }, password];
  });
  const said = await callIn(ctx, language, { call: 'signRequest', args });
  expect(said.answer).toEqual(vectors.map(({ php_strtoupper }) => php_strtoupper));
});

test.for(languages)('every call sends in %s the hash of core, with a to z alone upper-cased', async (language, ctx) => {
  const { url, bodies } = await recorder();
  const payment = { payment_id: 'Payment-é' };
  const ofPayment = { ...payment, amount: '1.00' };
  const order = { number: 'Order-é', amount: '1.00', currency: 'USD', description: 'Straße № 1 🎁' };
  const { amount: _, ...openOrder } = order;
  const mandate = { recurring_init_trans_id: 'Trans-é', recurring_token: 'Token-é' };
  const payout = {
    order_id: 'Order-é',
    order_amount: '1.00',
    order_currency: 'USD',
    order_description: 'Straße № 1 🎁',
  };
  const calls: readonly { call: string; args: object; hash: (by: SignOptions) => string }[] = [
    { call: 'createSession', args: session(order), hash: (by) => signRequest('session', order, PASSWORD, by) },
    {
      call: 'createSession',
      args: { ...session(order), order: openOrder },
      hash: (by) => signRequest('session_without_amount', openOrder, PASSWORD, by),
    },
    { call: 'status', args: payment, hash: (by) => signRequest('status_by_payment', payment, PASSWORD, by) },
    {
      call: 'orderStatus',
      args: { order_id: 'Order-é' },
      hash: (by) => signRequest('status_by_order', { order_id: 'Order-é' }, PASSWORD, by),
    },
    { call: 'refund', args: ofPayment, hash: (by) => signRequest('refund', ofPayment, PASSWORD, by) },
    { call: 'capture', args: ofPayment, hash: (by) => signRequest('capture', ofPayment, PASSWORD, by) },
    { call: 'void', args: payment, hash: (by) => signRequest('void', payment, PASSWORD, by) },
    { call: 'retry', args: payment, hash: (by) => signRequest('retry', payment, PASSWORD, by) },
    {
      call: 'recurring',
      args: { ...mandate, order },
      hash: (by) => signRequest('recurring', { ...mandate, ...order }, PASSWORD, by),
    },
    {
      call: 'credit',
      args: { ...payout, card_token: 'token' },
      hash: (by) => signRequest('card_credit', payout, PASSWORD, by),
    },
  ];
  const expected = [];
  for (const digest of ['md5', 'sha256'] as const) {
    const client = { baseUrl: url, merchantKey: merchant.key, password: PASSWORD, digest };
    for (const { call, args, hash } of calls) {
      await callIn(ctx, language, { client, call, args: [args] });
      expected.push({ hash: hash({ digest, dialect: 'ascii' }) });
    }
  }
  expect(bodies).toMatchObject(expected);
});

/** Runs a program that uses the client of this language. @returns what it prints */
async function programIn(ctx: TestContext, language: Language, text: string): Promise<string> {
  const tool = requireTool(ctx, LANGUAGES[language].tool);
  const env = {
    ...process.env,
    PYTHONPATH: fileURLToPath(new URL('clients/python/src', root)),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  return (await promisify(execFile)(tool, [language === 'PHP' ? '-r' : '-c', text], { env })).stdout;
}

/** The program has a "send" whose answers say `Retry-After: 7`, the first as text and the second as a list where PHP has them. */
const SENDS: Readonly<Record<Language, string>> = {
  PHP: `
    require '${fileURLToPath(new URL('clients/php/autoload.php', root))}';
    foreach (['7', ['7']] as $after) {
        $send = fn () => ['status' => 429, 'headers' => ['Retry-After' => $after], 'body' => '{"error_message":"Wait."}'];
        $client = new Railyard\\Client('https://pay.example.com', 'key', 'password', send: $send);
        try {
            $client->status(['payment_id' => 'p-1']);
        } catch (Railyard\\BusyError $busy) {
            echo $busy->retryAfterSeconds;
        }
    }`,
  Python: `
import railyard
from railyard.http_post import HttpAnswer
for name in ("Retry-After", "retry-after"):
    send = lambda *_: HttpAnswer(429, {name: "7"}, b'{"error_message":"Wait."}')
    client = railyard.Client(base_url="https://pay.example.com", merchant_key="key", password="password", send=send)
    try:
        client.status({"payment_id": "p-1"})
    except railyard.BusyError as busy:
        print(busy.retry_after_seconds, end="")
`,
};

test.for(languages)('a "send" in %s may write the names of headers in any case', async (language, ctx) => {
  expect(await programIn(ctx, language, SENDS[language])).toBe('77');
});

test('an error of the client in Python is the same after it was pickled', async (ctx) => {
  const program = `
import copy, pickle
from railyard import errors
told = errors.ErrorAnswer("POST /api/v1/session", 400, "1", "r-1")
for error in (
    errors.InvalidRequestError([errors.FieldIssue("amount", "Wrong.", 1, "10.00")], told),
    errors.RefusedError("No.", told, hint="Yes."),
    errors.BusyError("Wait.", 7, told),
    errors.UnknownOutcomeError("Silence.", told, timed_out=True),
):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(error, protocol))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error)), again
    print(copy.copy(error).kind)
`;
  expect(await programIn(ctx, 'Python', program)).toBe('invalid\nrefused\nbusy\nunknown\n');
});

test('the client in Python says by the clock whether a "send" of another library timed out', async (ctx) => {
  const program = `
import railyard
from unittest import mock
def send(*_):
    raise failure
client = railyard.Client(base_url="https://pay.example.com", merchant_key="key", password="password", timeout_ms=500, send=send)
for failure, ended in ((ConnectionError(), 0.5), (TimeoutError(), 0.4)):
    with mock.patch("time.monotonic", side_effect=[0.0, ended]):
        try:
            client.status({"payment_id": "p-1"})
        except railyard.UnknownOutcomeError as error:
            print(error.timed_out)
`;
  expect(await programIn(ctx, 'Python', program)).toBe('True\nFalse\n');
});

test('the client in Python waits for slow headers no longer than for the answer', async (ctx) => {
  const server = createTcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const dripping = setInterval(() => socket.write('x-slow: 1\r\n'), 50);
    socket.on('error', () => undefined).on('close', () => clearInterval(dripping));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const client = {
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    merchantKey: 'key',
    password: PASSWORD,
    timeoutMs: 500,
  };
  const said = await callIn(ctx, 'Python', { client, call: 'status', args: [{ payment_id: 'p-1' }] });
  expect(said.error).toMatchObject({ kind: 'unknown', timedOut: true });
});
