// Run by itself: the payer, the provider and the merchant's receiver. A payment is over when its callback says so.
import { buildBrCode } from '@railyard/identifiers/br-code';
import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request as send } from 'undici';
import * as z from 'zod';
import { type Finished, openModel } from '../open-model.ts';
import { typicalSession } from '../typical.ts';
import { spreadOf } from '../measure.ts';
import { ways } from './commands.ts';
import { serveRequests } from './serve-requests.ts';
import { Subscriptions, subscriptionsSchema } from './subscriptions.ts';

const webhookSecret = 'bench-webhook-secret';

const requestSchema = z.union([
  z.literal('address'),
  z.object({
    url: z.string(),
    method: z.enum(['pix', 'pix-collection']),
    prefix: z.string(),
    count: z.int(),
    callers: z.int(),
  }),
  z.object({ url: z.string(), seed: z.string(), rate: z.number(), seconds: z.number() }),
  subscriptionsSchema,
  z.object({ url: z.string(), way: z.enum(['hosted', 'apm', 'card']), prefix: z.string(), count: z.int() }),
]);

const chargeSchema = z.object({ external_id: z.string(), amount: z.string(), callback_url: z.string() });
const collectionSchema = z.object({ reference: z.string(), amount: z.number(), callbackUrl: z.string() });
const acquiredSchema = z.object({ reference: z.string(), amount: z.number(), currency: z.string() });
const createdSchema = z.object({ redirect_url: z.string() });

/** From the provider's answer to its notification. */
const PAYER_MS = 50;

/** A payment whose callback has not come by then has failed. */
const LATE_MS = 60_000;

const dispatcher = new Agent({ connections: 128, pipelining: 1 });
/** Order number → what to do when its callback comes. */
const waiting = new Map<string, () => void>();
const collections = new Map<string, Readonly<Record<string, unknown>>>();

const server = createServer((request, response) => {
  void respond(request, response);
});
const listening = new Promise<string>((resolve) => {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    resolve(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  });
});

serveRequests(
  async (request) => {
    const asked = requestSchema.parse(request);
    if (asked !== 'address') return begun(asked);
    const url = await listening;
    return { url, apiKey: 'bench', webhookSecret, callbackUrl: `${url}/callback` };
  },
  async () => {
    await dispatcher.destroy();
    server.closeAllConnections();
    server.close();
  },
);

function begun(asked: Asked): Promise<unknown> {
  if ('subscriptions' in asked) return subscriptions.run(asked);
  return 'rate' in asked ? arrive(asked) : 'way' in asked ? begin(asked) : pay(asked);
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await textOf(request);
  const takesMs = request.url === '/v1/charges' ? providerMsOf(chargeSchema.parse(JSON.parse(text)).amount) : 0;
  if (takesMs > 0) await sleep(takesMs);
  const { status, body } = answer(request.url ?? '', text);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function answer(path: string, text: string): { readonly status: number; readonly body: unknown } {
  if (path === '/callback') {
    const fields = new URLSearchParams(text);
    subscriptions.heard(fields);
    if (fields.get('order_status') === 'settled') waiting.get(fields.get('order_number') ?? '')?.();
    return { status: 200, body: {} };
  }
  if (path === '/v1/charges') return { status: 201, body: charge(text) };
  if (path === '/v1/sales' || path.startsWith('/v1/agreements/')) return { status: 201, body: approve(text) };
  if (path === '/collections') return { status: 201, body: collect(text) };
  const found = collections.get(path.split('/').at(-1) ?? '');
  return found === undefined ? { status: 404, body: { error: 'unknown' } } : { status: 200, body: found };
}

/** The instant provider: it is paid at once, and says so by a signed notification. */
function charge(text: string) {
  const { external_id, amount, callback_url } = chargeSchema.parse(JSON.parse(text));
  const id = `qr-${randomUUID()}`;
  const data = { id, external_id, status: 'PAID', amount, currency: 'BRL' };
  const body = JSON.stringify({ event_id: `evt-${id}`, data });
  const at = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', webhookSecret).update(`${at}.${body}`).digest('hex');
  notify(callback_url, body, { 'x-timestamp': at, 'x-signature': `sha256=${signature}` });
  return { qr_code_id: id, status: 'PENDING', amount, currency: 'BRL', pix_copy_and_paste: codeOf(id) };
}

/** The acquirer: it takes every card. */
function approve(text: string) {
  const { reference, amount, currency } = acquiredSchema.parse(JSON.parse(text));
  return {
    id: `pay-${randomUUID()}`,
    agreement_id: `agr-${randomUUID()}`,
    reference,
    status: 'APPROVED',
    amount,
    currency,
  };
}

/** The collection provider: it is paid at once, and its notification says where to look. */
function collect(text: string) {
  const { reference, amount, callbackUrl } = collectionSchema.parse(JSON.parse(text));
  const id = `col-${randomUUID()}`;
  const paid = { id, reference, status: 'PAID', amount, currency: 'BRL' };
  collections.set(id, paid);
  notify(callbackUrl, JSON.stringify(paid), {});
  return { ...paid, status: 'CREATED', qrCode: codeOf(id) };
}

function codeOf(id: string): string {
  const merchantName = 'Loja Exemplo';
  const built = buildBrCode({ kind: 'dynamic', url: `pix.example/qr/${id}`, merchantName, merchantCity: 'SAO PAULO' });
  if (!built.ok) throw new Error('The code cannot be built.');
  return built.text;
}

function notify(url: string, body: string, headers: Readonly<Record<string, string>>): void {
  // A payer takes longer than a service needs to read the provider's answer.
  setTimeout(() => void post(url, body, { ...headers, 'content-type': 'application/json' }), PAYER_MS);
}

async function post(url: string, body: string, headers: Readonly<Record<string, string>>) {
  const reply = await send(url, { method: 'POST', body, headers, dispatcher });
  return { status: reply.statusCode, text: await reply.body.text() };
}

type Asked = Exclude<z.output<typeof requestSchema>, 'address'>;
type Payments = Extract<Asked, { readonly method: unknown }>;

const subscriptions = new Subscriptions(post);

/** The amount says how long the provider takes: a cent above this is a millisecond. */
const PLAIN_CENTS = 1000;
function amountOf(providerMs: number): string {
  const cents = String(PLAIN_CENTS + providerMs);
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}
const providerMsOf = (amount: string) => Number(amount.replace('.', '')) - PLAIN_CENTS;

async function arrive({ url, seed, rate, seconds }: Extract<Asked, { readonly rate: number }>) {
  return openModel({ rate, seconds, seed }, (at, providerMs) => payOne(url, 'pix', `${seed}-${at}`, providerMs));
}

async function pay({ url, method, prefix, count, callers }: Payments) {
  let next = 0;
  let failed = 0;
  const caller = async () => {
    for (let at = next++; at < count; at = next++)
      if (!(await payOne(url, method, `${prefix}-${at}`)).isPaid) failed += 1;
  };
  const start = process.hrtime.bigint();
  await Promise.all(Array.from({ length: callers }, caller));
  return { seconds: Number(process.hrtime.bigint() - start) / 1e9, failed };
}

async function payOne(url: string, method: Payments['method'], number: string, providerMs = 0): Promise<Finished> {
  const session = typicalSession(
    number,
    { methods: [method], ...(method !== 'pix' && { parameters: {} }) },
    amountOf(providerMs),
  );
  const start = performance.now();
  const json = { 'content-type': 'application/json' };
  const created = await post(`${url}/api/v1/session`, JSON.stringify(session), json);
  if (created.status !== 200) return { isPaid: false, payMs: 0, wholeMs: 0 };
  const page = createdSchema.parse(JSON.parse(created.text)).redirect_url;
  const late = new AbortController();
  const settled = new Promise<boolean>((resolve) => {
    waiting.set(number, () => resolve(true));
    late.signal.addEventListener('abort', () => resolve(false));
  });
  const timer = setTimeout(() => late.abort(), LATE_MS);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const pressed = performance.now();
  const paid = await post(`${page}/pay`, `method=${method}`, form);
  const payMs = performance.now() - pressed - providerMs;
  if (paid.status >= 400) late.abort();
  const isPaid = await settled;
  clearTimeout(timer);
  waiting.delete(number);
  return { isPaid, payMs, wholeMs: performance.now() - start - providerMs - PAYER_MS };
}

/** Begins payments one after another. @returns how long one takes, in the middle */
async function begin({ url, way, prefix, count }: Extract<Asked, { readonly way: unknown }>) {
  const all = ways(async (to, body, type) => {
    const { status, text } = await post(to, body, { 'content-type': type });
    if (status >= 400) throw new Error(`${to} was refused: ${status} ${text}`);
    return text;
  });
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const start = performance.now();
    await all[way](url, `${prefix}-${at}`);
    times.push(performance.now() - start);
  }
  return { milliseconds: spreadOf(times).median };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
