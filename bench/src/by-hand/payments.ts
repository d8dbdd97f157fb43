import { createHash, createHmac, hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Pool } from 'pg';
import { Agent, request as send } from 'undici';
import * as z from 'zod';
import { merchant } from '../typical.ts';
import { handPath } from './path.ts';
import { STATEMENTS, TABLES } from './payment-statements.ts';

export interface HandSettings {
  readonly databaseUrl: string;
  readonly port: number;
  readonly provider: { readonly url: string; readonly apiKey: string; readonly webhookSecret: string };
  readonly callbackUrl: string;
}

const chargedSchema = z.object({ qr_code_id: z.string(), pix_copy_and_paste: z.string() });
const paidSchema = z.object({ data: z.object({ external_id: z.uuid(), status: z.literal('PAID') }) });
const orderSchema = z.object({
  order: z.object({ number: z.string(), amount: z.string(), currency: z.string(), description: z.string() }),
});

/**
 * What the checkout does for a Pix payment, as an engineer writes it who needs no other: the same checks, calls, callbacks and the same
 * durability, one statement for each step. It has no vault, no sealing, no limits, no repeats after a crash, no page and no log.
 */
export async function handPayments({ databaseUrl, port, provider, callbackUrl }: HandSettings): Promise<Server> {
  const pool = new Pool({ connectionString: databaseUrl, max: 32 });
  const dispatcher = new Agent();
  await pool.query(TABLES);
  const ask = (name: keyof typeof STATEMENTS, values: unknown[]) =>
    pool.query({ name, text: STATEMENTS[name], values });
  const here = `http://127.0.0.1:${port}`;

  async function create(text: string): Promise<Answer> {
    if (handPath(text, '', '', '') === undefined) return [400, {}];
    const token = randomBytes(32).toString('base64url');
    await ask('store', [randomUUID(), hash('sha256', token), orderOf(text).number, text]);
    return [200, { redirect_url: `${here}/auth/${token}` }];
  }

  async function pay(token: string): Promise<Answer> {
    const [session] = (await ask('page', [hash('sha256', token)])).rows;
    const id = randomUUID();
    const path = session && handPath(session.request, id, `${here}/notify`, provider.apiKey);
    if (path === undefined) return [404, {}];
    await ask('begin', [id, session.id]);
    const body = JSON.stringify(path.json);
    await ask('intend', [id, body]);
    const headers = { ...path.headers, 'content-type': 'application/json', 'idempotency-key': id };
    const reply = await send(`${provider.url}/v1/charges`, { method: 'POST', headers, body, dispatcher });
    const text = await reply.body.text();
    const { qr_code_id, pix_copy_and_paste } = chargedSchema.parse(JSON.parse(text));
    const callback = callbackOf(id, session.request, 'pending');
    await ask('answer', [id, qr_code_id, text, callback.id, callback.body]);
    void deliver(callback);
    return [200, { code: pix_copy_and_paste }];
  }

  async function notified(body: string, { headers }: IncomingMessage): Promise<Answer> {
    const expected = `sha256=${createHmac('sha256', provider.webhookSecret).update(`${headers['x-timestamp']}.${body}`).digest('hex')}`;
    const given = Buffer.from(String(headers['x-signature']));
    if (given.length !== expected.length || !timingSafeEqual(given, Buffer.from(expected))) return [401, {}];
    const notification = randomUUID();
    const { data } = paidSchema.parse(JSON.parse(body));
    const [payment] = (await ask('notified', [notification, body, data.external_id])).rows;
    if (payment === undefined) return [200, {}];
    const callback = callbackOf(payment.id, payment.request, 'settled');
    const { rowCount } = await ask('settle', [payment.id, notification, callback.id, callback.body]);
    if (rowCount === 1) void deliver(callback);
    return [200, {}];
  }

  async function deliver({ id, body }: Callback): Promise<void> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'webhook-id': id };
    const reply = await send(callbackUrl, { method: 'POST', headers, body, dispatcher });
    await reply.body.dump();
    await ask('delivered', [id, reply.statusCode]);
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const [, place, token = ''] = (request.url ?? '').split('/');
    const text = await textOf(request);
    if (place === 'auth') return pay(token);
    return place === 'notify' ? notified(text, request) : create(text);
  }

  const server = createServer((request, response) => {
    void answer(request).then((made) => write(response, made));
  });
  server.once('close', () => void Promise.all([pool.end(), dispatcher.destroy()]));
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

type Answer = readonly [status: number, body: object];

interface Callback {
  readonly id: string;
  readonly body: string;
}

const orderOf = (text: string) => orderSchema.parse(JSON.parse(text)).order;

function callbackOf(paymentId: string, request: string, status: 'pending' | 'settled'): Callback {
  const { number, amount, currency, description } = orderOf(request);
  const signed = `${paymentId}${number}${amount}${currency}${description}${merchant.password}`.toUpperCase();
  const fields = {
    id: paymentId,
    order_number: number,
    order_amount: amount,
    order_currency: currency,
    order_description: description,
    order_status: status,
    type: 'sale',
    hash: createHash('sha1').update(hash('md5', signed)).digest('hex'),
  };
  return { id: randomUUID(), body: new URLSearchParams(fields).toString() };
}

function write(response: ServerResponse, [status, body]: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
