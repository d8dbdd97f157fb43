import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { formulas } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, type TestContext } from 'vitest';
import * as z from 'zod';
import { acquirerService, type AcquirerService, told } from '../../checkout/test/support/acquirer-service.ts';
import { CARD, payByCard } from '../../checkout/test/support/card-service.ts';
import { listen } from '../../checkout/test/support/listen.ts';
import { callbackSecret } from '../../checkout/test/support/receiver.ts';
import { merchant } from '../../checkout/test/support/service.ts';
import { blocksOf } from '../../../test/docs/blocks.ts';
import { requireTool } from '../../../test/support/tool.ts';
import { createClient, type Fetch } from '../src/index.ts';
import { type Call, callIn, type Language, LANGUAGES } from './support/languages.ts';

const languages: readonly Language[] = ['PHP', 'Python'];
const requestKey = { id: 'shop-server', secret: `whsec_${btoa('the-request-key-of-this-client..')}` };
const PASSWORD = 'Password-Canary-01';
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
    const { order, payment_id } = await paid();
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
        callback: { fields: { id: payment_id, order_description: order.description } },
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
      card_number: '4601541833776519',
      payee_first_name: 'Jane',
      payee_last_name: 'Roe',
    };
    const { password: _, ...byKey } = { ...byHash, requestKey };
    expect((await run({ call: 'credit', args: [payout] })).error).toMatchObject({ status: expect.any(Number) });
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
    ['an answer to something else', json(200, { hello: 'world' }), { kind: 'unknown', timedOut: false }],
    [
      'too many requests',
      json(429, { error_code: 429, error_message: 'Too many requests.' }),
      { kind: 'busy', retryAfterSeconds: 7 },
    ],
  ])('reports %s by its kind, and shows no password', async ([, answer, expected], ctx) => {
    const server = await listen((request, _body, response) => answer(request, response));
    onTestFinished(() => server.close());
    const client = { baseUrl: server.url, merchantKey: merchant.key, password: PASSWORD, timeoutMs: 500 };
    const call = { call: 'refund', args: [{ payment_id: 'p-1', amount: '1.00' }] };
    const { error } = await callIn(ctx, language, { client, ...call });
    expect(error).toMatchObject(expected);
    expect(JSON.stringify(error)).not.toContain(PASSWORD);
  });

  test('refuses an amount that is no string before anything is sent', async (ctx) => {
    const { run } = clientIn(ctx, language);
    const said = await run({ call: 'refund', args: [{ payment_id: 'p-1', amount: 4.5 }] });
    expect(said).toEqual({ wrong: 'amount: expected a string (an amount as "10.00"), got float.' });
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
  const env = {
    ...process.env,
    PYTHONPATH: fileURLToPath(new URL('clients/python/src', root)),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const tool = requireTool(ctx, LANGUAGES[language].tool);
  const { stdout } = await promisify(execFile)(tool, [language === 'PHP' ? '-r' : '-c', written.replace('<?php', '')], {
    env,
  });
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

/** A value for each name that a formula signs. */
const VALUES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(formulas)
    .flat()
    .map((name) => [name, `${name}-Value 1.00`]),
);

/** The hash that the TypeScript client sends with this call. */
async function hashOf(digest: 'md5' | 'sha256', call: (client: ReturnType<typeof createClient>) => Promise<unknown>) {
  let body = '';
  const fetch: Fetch = (_url, init) => {
    body = init.body;
    return Promise.reject(new Error('kept'));
  };
  const options = { baseUrl: 'https://pay.example.com', merchantKey: merchant.key, password: PASSWORD };
  await call(createClient({ ...options, digest, fetch })).catch(() => undefined);
  return Object(JSON.parse(body)).hash;
}

test.for(languages)('every call has in %s the hash that the TypeScript client sends', async (language, ctx) => {
  const of = (name: string) => VALUES[name] ?? '';
  const payment_id = of('payment_id');
  const amount = of('amount');
  const order = { number: of('number'), amount, description: of('description'), currency: of('currency') };
  const recurring = { recurring_init_trans_id: of('recurring_init_trans_id'), recurring_token: of('recurring_token') };
  const payout = {
    order_id: of('order_id'),
    order_amount: of('order_amount'),
    order_currency: of('order_currency'),
    order_description: of('order_description'),
    card_token: 'token',
  };
  const success_url = 'https://shop.example/';
  const calls: [keyof typeof formulas, Parameters<typeof hashOf>[1]][] = [
    ['session', (client) => client.createSession({ operation: 'purchase', success_url, order })],
    ['status_by_payment', (client) => client.status({ payment_id })],
    ['status_by_order', (client) => client.orderStatus({ order_id: of('order_id') })],
    ['refund', (client) => client.refund({ payment_id, amount })],
    ['capture', (client) => client.capture({ payment_id, amount })],
    ['void', (client) => client.void({ payment_id })],
    ['retry', (client) => client.retry({ payment_id })],
    ['recurring', (client) => client.recurring({ ...recurring, order })],
    ['card_credit', (client) => client.credit(payout)],
  ];
  for (const digest of ['md5', 'sha256'] as const) {
    const args = calls.map(([formula]) => [formula, VALUES, PASSWORD, digest]);
    const said = await callIn(ctx, language, { call: 'signRequest', args });
    expect(said.answer).toEqual(await Promise.all(calls.map(([, call]) => hashOf(digest, call))));
  }
});
