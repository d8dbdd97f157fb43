import { defineConnector, providerApi, notificationsFor, readPath, statusTable } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  createSimulator,
  type InProcessSimulator,
  manualTime,
  type Scenario,
  type SimulatedConnector,
  simulateInProcess,
} from '../src/index.ts';
import { START } from './support/rig.ts';

const settings = z.object({ base_url: z.url() });
const source = 'the provider of this test';
const { endpoint } = providerApi(settings, { source });
const shown = z.object({ id: z.string(), status: z.string(), total: z.string(), said: z.string().optional() });
const body = { id: 'c1', status: 'DONE', total: '1.00' };
const post = (name: string, path: string) =>
  endpoint({
    name,
    method: 'POST',
    path,
    repeat: 'keyed',
    request: () => ({}),
    reply: shown,
    examples: [{ body, source }],
  });
const get = (name: string, path: string) =>
  endpoint({ name, path, repeat: 'safe', request: () => ({}), reply: shown, examples: [{ body, source }] });

const connector = defineConnector({
  id: 'small',
  contract: 1,
  version: '1.0.0',
  title: 'Small',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [
    post('pay', '/pays'),
    post('pay-keyed', '/keyed'),
    post('refund', '/refunds'),
    get('find', '/pays/{ref}'),
    get('find-refund', '/refunds/{ref}'),
  ],
  statuses: statusTable({
    DONE: 'settled',
    NEW: 'pending',
    NO: { declined: 'hard', code: 'declined_by_provider', reason: 'Refused.' },
  }),
  serves: () => [],
  notifications: notificationsFor(settings)({
    verify: { scheme: 'unsigned', confirm: 'status' },
    codec: 'json',
    body: shown,
    events: () => [],
  }),
});

const opening = {
  effect: 'charge',
  request: { merchantReference: 'body.ref', amount: 'body.total', currency: 'body.currency' },
  reply: { id: 'id', status: 'status', amount: 'total', text: 'said' },
} as const;
const used = { status: 422, body: { code: 'reference_used' } };
const simulation: Simulation = {
  words: { settled: 'DONE', pending: 'NEW', declined: 'NO' },
  endpoints: {
    pay: { ...opening, used },
    'pay-keyed': { ...opening, request: { ...opening.request, key: 'headers.idempotency-key' } },
    refund: {
      effect: 'refund',
      request: { id: 'body.of', amount: 'body.total', modificationReference: 'body.ref' },
      reply: { modification: 'id', modificationStatus: 'status', amount: 'total' },
    },
    find: { effect: 'read', request: { merchantReference: 'params.ref' }, reply: opening.reply },
    'find-refund': {
      effect: 'read',
      request: { modificationReference: 'params.ref' },
      reply: { modificationStatus: 'status' },
    },
  },
  notification: { body: ({ id, status, amount }) => ({ id, status, total: amount }) },
};
const simulated: SimulatedConnector = { connector, simulation, settings: { base_url: 'http://127.0.0.1:1' } };

function play(scenario: Scenario) {
  let now = START;
  const provider = simulateInProcess({ ...simulated, clock: () => now, scenario, lag: { ms: 60_000, lookups: 2 } });
  const ask = (method: string, path: string, json?: object, headers: Record<string, string> = {}) =>
    provider.handle({
      method,
      path,
      query: {},
      headers: { 'content-type': 'application/json', ...headers },
      body: json === undefined ? '' : JSON.stringify(json),
    });
  return {
    provider,
    wait: (ms: number) => void (now += ms),
    pay: (ref = 'r1') => ask('POST', '/pays', { ref, total: '10.01', currency: 'EUR' }),
    payKeyed: (key = 'k1') =>
      ask('POST', '/keyed', { ref: 'r1', total: '10.01', currency: 'EUR' }, { 'idempotency-key': key }),
    refund: (ref = 'f1') => ask('POST', '/refunds', { of: provider.payments()[0]?.id, ref, total: '6.00' }),
    find: (path = '/pays/r1') => ask('GET', path).status,
  };
}

const books = ({ ledger }: Pick<InProcessSimulator, 'ledger'>) =>
  ledger().map(({ effect, amount }) => `${effect} ${amount}`);
const once = ['charge 10.01', 'settled 10.01'];

describe('a provider that refuses repeats', () => {
  it('refuses a reference that was used, in its own form', () => {
    const { provider, pay } = play('refuses-repeat');
    pay();
    expect(pay()).toEqual({ status: 422, body: '{"code":"reference_used"}' });
    expect(pay('r2').status).toBe(200);
    expect(books(provider)).toEqual([...once, ...once]);
  });

  it('refuses a key that was used, with 409 where the simulation names no form', () => {
    const { provider, payKeyed } = play('refuses-repeat');
    payKeyed();
    expect(payKeyed().status).toBe(409);
    expect(books(provider)).toEqual(once);
  });

  it('refuses the reference of a refund that was used', () => {
    const { provider, pay, refund } = play('refuses-repeat');
    pay();
    expect([refund().status, refund().status]).toEqual([200, 409]);
    expect(books(provider)).toEqual([...once, 'refund 6.00']);
  });

  it('refuses refunds of one payment, where a rule for it says so', () => {
    const { provider, pay, refund } = play('settled');
    pay();
    provider.setRule({ reference: 'r1', scenario: 'refuses-repeat' });
    expect([refund().status, refund().status]).toEqual([200, 409]);
  });

  it('takes money for each repeat where references may be used again', () => {
    const { provider, pay } = play('settled');
    pay();
    pay();
    expect(books(provider)).toEqual([...once, ...once]);
  });
});

describe('lookups that lag', () => {
  it('know a payment after so many of them', () => {
    const { pay, find } = play('lagging-lookup');
    pay();
    expect([find(), find(), find(), find()]).toEqual([404, 404, 200, 200]);
  });

  it('know a payment after so long', () => {
    const { pay, find, wait } = play('lagging-lookup');
    pay();
    wait(60_000);
    expect(find()).toBe(200);
  });

  it('know a refund after so many of them', () => {
    const { pay, refund, find } = play('lagging-lookup');
    pay();
    refund();
    expect([find('/refunds/f1'), find('/refunds/f1'), find('/refunds/f1')]).toEqual([404, 404, 200]);
  });

  it('are at the same time asked for what is refused as used', () => {
    const { provider, pay, find } = play('lagging-and-refusing');
    pay();
    expect([find(), pay().status, find(), find()]).toEqual([404, 422, 404, 200]);
    expect(books(provider)).toEqual(once);
  });
});

describe('a request that takes effect late', () => {
  it('moves money when it arrives, and once where its key was used meanwhile', () => {
    const { provider, payKeyed, find } = play('late-effect');
    payKeyed();
    expect([books(provider), find()]).toEqual([[], 404]);
    expect([provider.arrive(), books(provider)]).toEqual([1, once]);
    expect([payKeyed().status, provider.arrive(), books(provider)]).toEqual([200, 0, once]);
  });

  it('is refused as used while it is on its way, is not found after that at first, and moves money once', () => {
    const { provider, pay, find } = play('hostile');
    pay();
    expect([pay().status, books(provider)]).toEqual([422, []]);
    provider.arrive();
    expect([find(), pay().status, find(), find()]).toEqual([404, 422, 404, 200]);
    expect(books(provider)).toEqual(once);
  });

  it('gives money back when it arrives', () => {
    const { provider, pay, refund } = play('settled');
    pay();
    provider.setRule({ reference: 'r1', scenario: 'hostile' });
    expect([refund().status, refund().status]).toEqual([504, 409]);
    provider.arrive();
    expect(books(provider)).toEqual([...once, 'refund 6.00']);
  });
});

describe('a provider over HTTP', () => {
  async function serve(scenario: Scenario, connected = simulated) {
    const time = manualTime(START);
    const { clock, scheduler } = time;
    const simulator = await createSimulator({ connectors: [connected], clock, scheduler, scenario });
    onTestFinished(() => simulator.close());
    const pay = (signal?: AbortSignal) =>
      fetch(`${simulator.baseUrl('small')}/pays`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ref: 'r1', total: '10.01', currency: 'EUR' }),
        ...(signal && { signal }),
      });
    return { simulator, time, pay };
  }

  it('moves money once its caller has hung up', async () => {
    const { simulator, pay } = await serve('late-effect');
    const caller = new AbortController();
    const answer = pay(caller.signal);
    await expect.poll(simulator.waiting).toBe(1);
    expect(books(simulator)).toEqual([]);
    caller.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(() => books(simulator)).toEqual(once);
  });

  it('answers after the deadline of its caller, having moved the money at once', async () => {
    const { simulator, time, pay } = await serve('late-answer');
    const answer = pay();
    await expect.poll(() => books(simulator)).toEqual(once);
    time.advance(120_000);
    expect((await answer).status).toBe(200);
  });

  it('sends what proves nothing days later', async () => {
    const notifyUrl = 'http://127.0.0.1:9/in';
    const { simulator, time, pay } = await serve('settled', { ...simulated, notifyUrl });
    simulator.setRule({ notifications: 'days-later' });
    await pay();
    time.advance(3 * 86_400_000 - 1);
    await simulator.idle();
    expect(simulator.deliveries()).toEqual([]);
    time.advance(1);
    await simulator.idle();
    expect(simulator.deliveries()).toHaveLength(1);
  });
});

it('approves half of the amount where replies name it', () => {
  const { provider, pay } = play('partial');
  expect(readPath(JSON.parse(pay().body), 'total')).toBe('5.00');
  expect(books(provider)).toEqual(['charge 5.00', 'settled 5.00']);
});

it('says in free words what no database keeps', () => {
  const said = readPath(JSON.parse(play('odd-text').pay().body), 'said');
  expect(said).toBe('Not\u0000 possible \uD83D now.');
});
