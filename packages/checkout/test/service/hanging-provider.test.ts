import { createServer } from 'node:http';
import { type HttpRequest, kyTransport, type Transport } from '@railyard/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { portOf } from '../support/listen.ts';
import { type PixProvider, pixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startService } from '../support/service.ts';

let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let http: ReturnType<typeof kyTransport>;
let at: number;
const ends: (() => Promise<void>)[] = [];

beforeEach(async () => {
  [provider, shop] = await Promise.all([pixProvider(), receiver()]);
  http = kyTransport();
  at = Date.now();
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  await Promise.all([provider.close(), shop.close(), http.close()]);
});

async function start(transport: Transport, url = provider.url) {
  const service = await startService({ ...provider, url }, shop.url, { clock: () => at, transport });
  ends.push(service.stop);
  return service;
}

const told = (number: string, status: string) =>
  shop.until(({ fields }) => fields.order_number === number && fields.status === status);

/** Pays a charge in the payer's bank, and the provider notifies. */
async function payAndNotify(notifyUrl: string, charge: PixProvider['ledger'][number] | undefined): Promise<void> {
  if (charge === undefined) throw new Error('The provider was not called.');
  charge.status = 'PAID';
  expect(await provider.notify(notifyUrl, charge, { at })).toBe(204);
}

describe('a provider that never answers', () => {
  /** What is under way, other than lookups, reaches its deadline when the test says so. */
  function deadline() {
    let pass: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => (pass = resolve));
    const transport: Transport = {
      send: (request) => {
        const reply = http.send({ ...request, timeoutMs: 600_000 });
        const lost = passed.then(() => ({ kind: 'lost', why: 'No complete reply in time.' }) as const);
        return request.method === 'POST' ? Promise.race([reply, lost]) : reply;
      },
    };
    return { transport, pass };
  }

  test('holds up no other payment, and its own is unknown until it is looked up', async () => {
    const { transport, pass } = deadline();
    const service = await start(transport);
    const hanging = sessionBody();
    let asked: () => void = () => undefined;
    const wasAsked = new Promise<void>((resolve) => (asked = resolve));
    provider.beforeReply = () => (asked(), false);
    let answered = false;
    const pressed = createPage(service.url, hanging)
      .then((page) => pressPay(page))
      .finally(() => (answered = true));
    await wasAsked;

    provider.beforeReply = () => true;
    const other = sessionBody();
    await pressPay(await createPage(service.url, other));
    await payAndNotify(service.notifyUrl, provider.ledger[1]);
    await told(other.order.number, 'success');
    expect(answered).toBe(false);

    pass();
    expect((await pressed).status).toBe(303);
    await told(hanging.order.number, 'undefined');
    at += 60_000;
    await told(hanging.order.number, 'waiting');
    await payAndNotify(service.notifyUrl, provider.ledger[0]);
    await told(hanging.order.number, 'success');
    expect(provider.ledger).toHaveLength(2);
  });
});

describe('a provider that answers a byte at a time', () => {
  /** Passes requests on; the answer to a POST drips and never ends. */
  async function dripping(): Promise<string> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = 'GET', url = '/' } = request;
        const headers = { 'x-api-key': provider.apiKey, 'content-type': 'application/json' };
        const body = method === 'GET' ? null : Buffer.concat(chunks);
        void fetch(`${provider.url}${url}`, { method, headers, body }).then(async (reply) => {
          response.writeHead(reply.status, { 'content-type': 'application/json' });
          if (method === 'GET') return response.end(await reply.text());
          const drip = setInterval(() => response.write(' '), 10);
          return response.on('close', () => clearInterval(drip));
        });
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    ends.push(
      () =>
        new Promise((resolve) => {
          server.closeAllConnections();
          server.close(() => resolve());
        }),
    );
    return `http://127.0.0.1:${portOf(server)}`;
  }

  test('is given up at the deadline, and its payment is looked up', async () => {
    const url = await dripping();
    // Only what drips: a lookup that is late on a busy machine would be another test.
    const hurried = (request: HttpRequest) => (request.method === 'POST' ? { ...request, timeoutMs: 1000 } : request);
    const service = await start({ send: (request) => http.send(hurried(request)) }, url);
    const body = sessionBody();
    expect((await pressPay(await createPage(service.url, body))).status).toBe(303);
    await told(body.order.number, 'undefined');
    at += 60_000;
    await told(body.order.number, 'waiting');
    await payAndNotify(service.notifyUrl, provider.ledger[0]);
    await told(body.order.number, 'success');
    expect(provider.ledger).toHaveLength(1);
  });
});
