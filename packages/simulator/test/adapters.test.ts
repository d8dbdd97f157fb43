import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { defineConnector, providerApi, notificationsFor, statusTable } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { collectionConnector, payerIdConnector } from '@railyard/connector-pix';
import { collectionSimulation, payerIdSimulation } from '@railyard/connector-pix/simulation';
import { receiveNotification } from '@railyard/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { createSimulator, manualTime, type SimulatedConnector } from '../src/index.ts';
import { books, START } from './support/rig.ts';

async function simulate(connector: SimulatedConnector) {
  const time = manualTime(START);
  const simulator = await createSimulator({
    connectors: [connector],
    scenario: 'manual',
    clock: time.clock,
    scheduler: time.scheduler,
  });
  onTestFinished(() => simulator.close());
  const base = simulator.baseUrl(connector.mid ?? connector.connector.id);
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(base + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return { status: reply.status, text: await reply.text() };
  };
  return { simulator, post, get: (path: string) => fetch(base + path) };
}

/** What arrives at an address, as the connector reads it. */
async function inbox({ connector, settings }: Pick<SimulatedConnector, 'connector' | 'settings'>) {
  const taken: ReturnType<typeof receiveNotification>[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      taken.push(receiveNotification(connector, settings, { body, headers }, START));
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { taken, url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/in` };
}

describe('a provider that signs nothing', () => {
  const settings = { base_url: 'http://127.0.0.1:1', api_key: 'key', expiry_hours: 24 };
  const connector = { connector: collectionConnector, simulation: collectionSimulation, settings };

  it('writes amounts as numbers with their own digits, and notifies without a proof', async () => {
    const { simulator, post } = await simulate(connector);
    const { taken, url } = await inbox(connector);
    const body = `{"reference":"ref-1","amount":90071992547409.93,"currency":"BRL","callbackUrl":"${url}"}`;
    const { text } = await post('/collections', body, { 'idempotency-key': 'key-1' });
    expect(text).toContain('"amount":90071992547409.93,');
    simulator.settle(simulator.payments()[0]?.id ?? '');
    await simulator.idle();
    expect(taken).toMatchObject([
      { kind: 'events', proven: false, events: [{ outcome: { amount: { text: '90071992547409.93' } } }] },
    ]);
  });
});

describe('a provider with a token, whole cents and no key', () => {
  const settings = {
    base_url: 'http://127.0.0.1:1',
    client_id: 'c',
    client_secret: 's',
    notification_token: 'a-token-of-twenty-c',
  };
  const connector = { connector: payerIdConnector, simulation: payerIdSimulation, settings, mid: 'payer-id' };

  it('gives a token, counts in cents, notifies with its shared secret, and charges a repeat again', async () => {
    const { simulator, post } = await simulate(connector);
    const { taken, url } = await inbox(connector);
    expect((await post('/oauth/token', 'grant_type=client_credentials')).text).toContain('"access_token"');
    const body = `{"reference":"ref-1","amount":1050,"currency":"BRL","presentation":"page","notify_url":"${url}"}`;
    const made = (await post('/payments', body)).text;
    expect(made).toContain('"amount":1050,"currency":"BRL"');
    expect(made).toContain(`"payment_url":"${simulator.url}/?payment=${simulator.payments()[0]?.id}"`);
    await post('/payments', body);
    expect(books(simulator)).toEqual(['charge 10.50 BRL', 'charge 10.50 BRL']);
    simulator.settle(simulator.payments()[0]?.id ?? '');
    await simulator.idle();
    expect(taken).toMatchObject([
      { kind: 'events', proven: true, events: [{ outcome: { amount: { text: '10.50' } } }] },
    ]);
    simulator.notify(simulator.payments()[1]?.id ?? '', 'forged');
    await simulator.idle();
    expect(taken[1]).toMatchObject({ kind: 'refused', why: 'signature' });
  });
});

describe('a provider that speaks XML, holds money, and signs by RSA', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const settings = z.object({ public_key: z.string() });
  const { endpoint } = providerApi(settings, { source: 'a test' });
  const reply = z.object({ payment: z.object({ id: z.string(), status: z.string(), amount: z.string() }) });
  const example = { status: 200, body: { payment: { id: 'x', status: 'HELD', amount: '1.00' } }, source: 'this test' };
  const made = (name: string, path: string) =>
    endpoint({
      name,
      method: 'POST',
      path,
      repeat: 'once',
      codec: 'xml',
      request: () => ({}),
      reply,
      examples: [example],
    });
  const notifications = notificationsFor(settings)({
    verify: {
      scheme: 'rsa',
      algorithm: 'sha256',
      header: 'X-Sign',
      encoding: 'base64',
      key: (each) => each.public_key,
    },
    codec: 'form',
    body: z.object({ id: z.string() }),
    events: ({ id }) => [
      {
        id,
        kind: 'chargeback',
        providerReference: id,
        amount: { text: '1.00', minor: 100n, currency: 'EUR', exponent: 2 },
      },
    ],
  });
  const connector = defineConnector({
    id: 'xml-bank',
    contract: 1,
    version: '1.0.0',
    title: 'XML bank',
    settings,
    baseUrl: () => 'http://127.0.0.1:1',
    endpoints: [
      made('authorize', '/auth'),
      made('capture', '/{id}/capture.xml'),
      made('void', '/{id}/void.xml'),
      made('refund', '/{id}/refund.xml'),
    ],
    statuses: statusTable({
      HELD: 'authorized',
      DONE: 'settled',
      NEW: 'pending',
      NO: { declined: 'hard', code: 'declined_by_provider', reason: 'No.' },
    }),
    serves: () => [],
    notifications,
  });
  const told = { reply: { id: 'payment.id', status: 'payment.status', amount: 'payment.amount' } };
  const act = { request: { id: 'params.id', amount: 'body.amount', currency: 'body.currency' }, ...told };
  const simulation: Simulation = {
    endpoints: {
      authorize: {
        effect: 'authorize',
        request: { merchantReference: 'body.auth.ref', amount: 'body.auth.amount', currency: 'body.auth.@currency' },
        ...told,
      },
      capture: { effect: 'capture', ...act },
      void: { effect: 'void', ...act },
      refund: { effect: 'refund', ...act },
    },
    words: { settled: 'DONE', pending: 'NEW', declined: 'NO', authorized: 'HELD' },
    notification: { body: ({ id }) => ({ id }) },
  };
  const xml = { 'content-type': 'application/xml' };
  const request = '<auth currency="EUR"><ref>ref-1</ref><amount>12.3</amount></auth>';

  async function held(scenario: 'settled' | 'manual' = 'settled') {
    const { taken, url } = await inbox({ connector, settings: { public_key: publicKey } });
    const rig = await simulate({
      connector,
      simulation,
      settings: { public_key: publicKey },
      privateKey,
      notifyUrl: url,
    });
    rig.simulator.setRule({ scenario });
    const { text } = await rig.post('/auth', request, xml);
    return { ...rig, taken, text, id: rig.simulator.payments()[0]?.id ?? '' };
  }

  it('holds, captures and refunds, each written down', async () => {
    const { simulator, post, text, id } = await held();
    expect(text).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><payment><id>${id}</id><status>HELD</status><amount>12.30</amount></payment>`,
    );
    expect((await post(`/${id}/refund.xml`, '')).status).toBe(409);
    expect((await post(`/${id}/capture.xml`, '{"amount":"12.31"}')).status).toBe(409);
    expect((await post(`/${id}/capture.xml`, '{"amount":"10.00"}')).text).toContain('<status>DONE</status>');
    expect((await post(`/${id}/capture.xml`, '')).status).toBe(409);
    expect((await post(`/${id}/refund.xml`, '{"amount":"2.00"}')).status).toBe(200);
    expect((await post(`/${id}/refund.xml`, '{"amount":"8.01"}')).status).toBe(409);
    expect((await post(`/${id}/refund.xml`, '{"amount":"8.00"}')).status).toBe(200);
    expect(books(simulator)).toEqual([
      'authorize 12.30 EUR',
      'capture 10.00 EUR',
      'settled 10.00 EUR',
      'refund 2.00 EUR',
      'refund 8.00 EUR',
    ]);
  });

  it('refuses a capture and a refund in another currency than the payment has, and takes its number', async () => {
    const { simulator, post, id } = await held();
    expect((await post(`/${id}/capture.xml`, '{"amount":"10.00","currency":"USD"}')).status).toBe(409);
    expect((await post(`/${id}/capture.xml`, '{"amount":"10.00","currency":"978"}')).status).toBe(200);
    expect((await post(`/${id}/refund.xml`, '{"amount":"2.00","currency":"usd"}')).status).toBe(409);
    expect((await post(`/${id}/refund.xml`, '{"amount":"2.00","currency":"eur"}')).status).toBe(200);
    expect(books(simulator)).toEqual([
      'authorize 12.30 EUR',
      'capture 10.00 EUR',
      'settled 10.00 EUR',
      'refund 2.00 EUR',
    ]);
  });

  it('holds what its payer pays later, and does not take it', async () => {
    const { simulator, post, id } = await held('manual');
    expect(simulator.settle(id)).toMatchObject({ state: 'authorized' });
    expect((await post(`/${id}/capture.xml`, '{"amount":"12.30"}')).status).toBe(200);
    expect(books(simulator)).toEqual(['authorize 12.30 EUR', 'capture 12.30 EUR', 'settled 12.30 EUR']);
  });

  it('voids what it holds', async () => {
    const { simulator, post, id } = await held();
    expect((await post(`/${id}/void.xml`, '')).text).toContain('<status>NO</status>');
    expect(books(simulator)).toEqual(['authorize 12.30 EUR', 'void 12.30 EUR']);
  });

  it('notifies at the address of its console, signed by its private key', async () => {
    const { simulator, taken, id } = await held();
    await expect.poll(() => taken.length).toBe(1);
    expect(taken[0]).toMatchObject({ kind: 'events', proven: true, events: [{ id }] });
    simulator.notify(id, 'forged');
    await simulator.idle();
    expect(taken[1]).toMatchObject({ kind: 'refused', why: 'signature' });
  });
});

describe('a simulator is refused', () => {
  const settings = { base_url: 'http://127.0.0.1:1', api_key: 'key', expiry_hours: 24 };
  const one = { connector: collectionConnector, simulation: collectionSimulation, settings };

  it.each<readonly [string, readonly SimulatedConnector[], string]>([
    ['with one name twice', [one, one], 'Two simulated connectors are called "pix-collection".'],
    ['with a name that is no part of an address', [{ ...one, mid: 'a/b' }], 'Simulated connector "a/b"'],
    ['with settings that the connector refuses', [{ ...one, settings: {} }], 'Settings of pix-collection: base_url:'],
  ])('%s', async (_what, connectors, message) => {
    await expect(createSimulator({ connectors })).rejects.toThrow(message);
  });

  it('on a port that is taken', async () => {
    const first = await createSimulator({ connectors: [one] });
    onTestFinished(() => first.close());
    const port = Number(new URL(first.url).port);
    await expect(createSimulator({ connectors: [one], port })).rejects.toThrow('EADDRINUSE');
  });
});
