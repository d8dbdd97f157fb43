import { defineConnector, providerApi, field, notificationsFor, statusTable } from '@railyard/core';
import { compactId } from '@railyard/core/formats';
import type { Simulation } from '@railyard/core/simulation';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createSimulator, manualTime, type Scenario, simulateInProcess } from '../src/index.ts';

/** One path for everything, told apart by the body, as at gateways with a single address; one currency, ids with a prefix. */
const settings = z.object({ base_url: z.url(), webhook_secret: field(z.string(), { label: 'Secret', secret: true }) });
const { endpoint } = providerApi(settings, { source: 'a test' });
const body = z.object({ id: z.string(), state: z.string() });
const source = 'this test';
const transact = endpoint({
  name: 'transact',
  method: 'POST',
  path: '/transactions',
  repeat: 'once',
  request: () => ({}),
  reply: body,
  examples: [{ body: { id: '', ref: '', state: '', amount: 0 }, source }],
});
const search = endpoint({
  name: 'search',
  path: '/transactions',
  repeat: 'safe',
  request: () => ({}),
  reply: body,
  examples: [{ body: { id: '', ref: '', state: '', amount: 0 }, source }],
});
const searchModification = endpoint({
  name: 'search-modification',
  path: '/transactions',
  repeat: 'safe',
  request: () => ({}),
  reply: body,
  examples: [{ body: { id: '', ref: '', state: '', amount: 0 }, source }],
});

const connector = defineConnector({
  id: 'single',
  contract: 1,
  version: '1.0.0',
  title: 'Single address',
  settings,
  baseUrl: (each) => each.base_url,
  endpoints: [transact, search, searchModification],
  statuses: statusTable({}),
  serves: () => [],
  notifications: notificationsFor(settings)({
    verify: { scheme: 'shared-secret', header: 'x-token', value: (each) => each.webhook_secret },
    codec: 'json',
    body: z.unknown(),
    events: () => [],
  }),
});

const payment = { id: 'id', merchantReference: 'ref', status: 'state', amount: 'amount' };
const modification = {
  modification: 'id',
  modificationReference: 'ref',
  modificationStatus: 'state',
  amount: 'amount',
};
const acting = { id: 'body.on', modificationReference: 'body.ref', amount: 'body.amount' };

const simulation: Simulation = {
  endpoints: {
    transact: {
      effect: 'authorize',
      request: { merchantReference: 'body.ref', amount: 'body.amount' },
      reply: payment,
      cases: [
        { where: { 'body.type': 'sale', 'headers.x-country': ['CL', 'PE'] }, effect: 'charge' },
        { where: { 'body.type': 'capture' }, effect: 'capture', request: acting, reply: modification },
        { where: { 'body.type': 'refund' }, effect: 'refund', request: acting, reply: modification },
        { where: { 'body.type': 'void' }, effect: 'void', request: acting, reply: modification },
      ],
    },
    search: {
      where: { 'query.ref': true },
      effect: 'read',
      request: { merchantReference: 'query.ref' },
      reply: payment,
    },
    'search-modification': {
      where: { 'query.modification': true },
      effect: 'read',
      request: { modification: 'query.modification' },
      reply: modification,
    },
  },
  notification: {
    body: ({ id, status }) => ({ payment: id, status }),
    modification: ({ id, effect, status, amount }, { id: on }, event) => ({
      on,
      id,
      effect,
      status,
      amount,
      at: event.now,
    }),
  },
  words: { settled: 'PAID', pending: 'OPEN', declined: 'FAILED', authorized: 'HELD', released: 'GONE' },
  effectWords: {
    capture: { settled: 'CAPTURED', pending: 'CAPTURING', declined: 'CAPTURE_FAILED' },
    refund: { settled: 'REFUNDED' },
  },
  amounts: 'minor-units',
  // Adyen counts CLP with two decimals, ISO 4217 with none.
  decimals: { CLP: 2 },
  currency: 'CLP',
  id: (uuid, effect) => `${effect === 'authorize' || effect === 'charge' ? 'pay' : 'mod'}_${compactId(uuid)}`,
};

const values = { base_url: 'https://single.example', webhook_secret: 'secret' };
const notifyUrl = 'https://pay.example/notify/single';
const START = Date.parse('2026-11-23T12:00:00Z');

function provider(scenario: Scenario = 'settled') {
  const simulator = simulateInProcess({
    connector,
    simulation,
    settings: values,
    clock: () => START,
    scenario,
    notifyUrl,
  });
  const send = (
    method: string,
    query: Readonly<Record<string, string>>,
    sent: object | undefined,
    headers: object,
  ): Readonly<Record<string, unknown>> => {
    const reply = simulator.handle({
      method,
      path: '/transactions',
      query,
      headers: { 'content-type': 'application/json', ...headers },
      body: sent === undefined ? '' : JSON.stringify(sent),
    });
    const read: Readonly<Record<string, unknown>> = JSON.parse(reply.body);
    return { ...read, status: reply.status };
  };
  return {
    simulator,
    post: (sent: object, headers = {}) => send('POST', {}, sent, headers),
    get: (query: Readonly<Record<string, string>>) => send('GET', query, undefined, {}),
    /** A payment that is held, and its id. */
    held: () => String(send('POST', {}, { type: 'auth', ref: 'r1', amount: 100_000 }, {}).id),
    told: () => simulator.outbox.splice(0).map((raw): unknown => JSON.parse(raw.body)),
    books: () => simulator.ledger().map(({ effect, amount, currency }) => `${effect} ${amount} ${currency}`),
    state: () => simulator.payments()[0]?.state,
  };
}

describe('a request', () => {
  test('has the effect of the first case whose body and headers it fits', () => {
    const { post, books } = provider();
    expect(post({ type: 'sale', ref: 'r1', amount: 100_000 }, { 'x-country': 'PE' })).toMatchObject({ state: 'PAID' });
    expect(post({ type: 'sale', ref: 'r2', amount: 100_000 }, { 'x-country': 'BR' })).toMatchObject({ state: 'HELD' });
    expect(post({ type: 'auth', ref: 'r3', amount: 100_000 })).toMatchObject({ state: 'HELD' });
    expect(books()).toEqual([
      'charge 1000.00 CLP',
      'settled 1000.00 CLP',
      'authorize 1000.00 CLP',
      'authorize 1000.00 CLP',
    ]);
  });

  test('is for the endpoint whose query it has, where two share an address', () => {
    const { post, get, held } = provider();
    const id = held();
    const { id: captured } = post({ type: 'capture', on: id, ref: 'c1', amount: 60_000 });
    expect(get({ ref: 'r1' })).toMatchObject({ id, state: 'PAID', amount: 60_000 });
    expect(get({ modification: String(captured) })).toMatchObject({ id: captured, ref: 'c1', state: 'CAPTURED' });
    expect(get({ other: '1' })).toMatchObject({ status: 501 });
  });

  test('that names no currency is in the provider’s own, in the provider’s decimals', () => {
    const { post, simulator } = provider();
    expect(post({ type: 'auth', ref: 'r1', amount: 123_400 })).toMatchObject({ amount: 123_400 });
    expect(simulator.payments()).toMatchObject([{ amount: '1234.00', currency: 'CLP' }]);
    expect(post({ type: 'auth', ref: 'r2', amount: 123_450 })).toMatchObject({ status: 400 });
  });

  test('opens payments and modifications under ids in the provider’s form', () => {
    const { post, held } = provider();
    const id = held();
    expect(id).toMatch(/^pay_[0-9a-f]{32}$/);
    expect(post({ type: 'void', on: id, ref: 'v1' }).id).toMatch(/^mod_[0-9a-f]{32}$/);
  });
});

describe('a capture, void or refund', () => {
  test('has the words of its effect, else those of the payment', () => {
    const { post, held } = provider();
    const id = held();
    expect(post({ type: 'capture', on: id, ref: 'c1' })).toMatchObject({ state: 'CAPTURED' });
    expect(post({ type: 'refund', on: id, ref: 'f1', amount: 40_000 })).toMatchObject({
      state: 'REFUNDED',
      amount: 40_000,
    });
  });

  test('that stays pending moves nothing until it settles, and is then notified of', () => {
    const { simulator, post, held, told, books, state } = provider('pending-modification');
    const id = held();
    told();
    const { id: capture, state: word } = post({ type: 'capture', on: id, ref: 'c1', amount: 60_000 });
    expect({ word, state: state(), told: told(), books: books() }).toEqual({
      word: 'CAPTURING',
      state: 'authorized',
      told: [],
      books: ['authorize 1000.00 CLP'],
    });
    simulator.settleModification(String(capture));
    expect({ state: state(), books: books() }).toEqual({
      state: 'settled',
      books: ['authorize 1000.00 CLP', 'capture 600.00 CLP', 'settled 600.00 CLP'],
    });
    expect(told()).toEqual([
      { on: id, id: capture, effect: 'capture', status: 'CAPTURED', amount: '600.00', at: '2026-11-23T12:00:00.000Z' },
    ]);
    expect(() => simulator.settleModification(String(capture))).toThrow('The modification is settled, not pending.');
  });

  test('that is declined while it is pending leaves the payment as it was', () => {
    const { simulator, post, held, books, state, told } = provider('pending-modification');
    const id = held();
    const { id: voided } = post({ type: 'void', on: id, ref: 'v1' });
    told();
    simulator.declineModification(String(voided));
    expect({ state: state(), books: books() }).toEqual({ state: 'authorized', books: ['authorize 1000.00 CLP'] });
    expect(told()).toMatchObject([{ id: voided, effect: 'void', status: 'FAILED' }]);
    expect(() => simulator.declineModification(String(voided))).toThrow('The modification is declined already.');
    expect(() => simulator.declineModification('none')).toThrow('There is no modification none.');
  });

  test('that fails after it settled is undone in the books, and the hold is whole again', () => {
    const { simulator, post, held, books, state } = provider();
    const id = held();
    const { id: capture } = post({ type: 'capture', on: id, ref: 'c1', amount: 60_000 });
    simulator.declineModification(String(capture));
    expect(state()).toBe('authorized');
    expect(simulator.payments()).toMatchObject([{ amount: '1000.00' }]);
    expect(books().at(-1)).toBe('undone 600.00 CLP');
  });

  test('that is pending counts towards what can still be moved, one that failed does not', () => {
    const { simulator, post, held } = provider('pending-modification');
    const id = held();
    const { id: capture } = post({ type: 'capture', on: id, ref: 'c1', amount: 100_000 });
    simulator.settleModification(String(capture));
    const { id: refund } = post({ type: 'refund', on: id, ref: 'f1', amount: 70_000 });
    expect(post({ type: 'refund', on: id, ref: 'f2', amount: 40_000 })).toMatchObject({ status: 409 });
    simulator.declineModification(String(refund));
    expect(post({ type: 'refund', on: id, ref: 'f3', amount: 40_000 })).toMatchObject({ status: 200 });
  });
});

describe('over HTTP, by the clock', () => {
  async function server(scenario: Scenario) {
    const time = manualTime(START);
    const simulator = await createSimulator({
      connectors: [{ connector, simulation, settings: values }],
      clock: time.clock,
      scheduler: time.scheduler,
      scenario,
    });
    onTestFinished(() => simulator.close());
    const post = async (path: string, sent?: object): Promise<Readonly<Record<string, unknown>>> => {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${simulator.url}/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(sent ?? {}),
      });
      return { status: reply.status, ...(await reply.json()) };
    };
    const { id } = await post('single/transactions', { type: 'auth', ref: 'r1', amount: 100_000 });
    const made = await post('single/transactions', { type: 'capture', on: id, ref: 'c1', amount: 60_000 });
    return { simulator, time, post, made };
  }
  const stateOf = ({ simulator }: Awaited<ReturnType<typeof server>>) => [
    simulator.modifications()[0]?.state,
    simulator.payments()[0]?.state,
  ];

  test.each<[Scenario, string, string, string]>([
    ['late-modification', 'CAPTURING', 'settled', 'settled'],
    ['failing-modification', 'CAPTURING', 'declined', 'authorized'],
    ['undone-modification', 'CAPTURED', 'declined', 'authorized'],
  ])('%s is %s in the reply, then %s, the payment %s', async (scenario, word, state, payment) => {
    const made = await server(scenario);
    expect(made.made).toMatchObject({ state: word });
    made.time.advance(2_999);
    expect(stateOf(made)[0]).not.toBe(scenario === 'undone-modification' ? 'declined' : state);
    made.time.advance(1);
    expect(stateOf(made)).toEqual([state, payment]);
    await made.simulator.idle();
  });

  test('the control interface lists, settles and declines them', async () => {
    const made = await server('pending-modification');
    const { id } = made.made;
    const listed = await (await fetch(`${made.simulator.url}/_simulator/modifications`)).json();
    expect(listed).toMatchObject({ modifications: [{ id, effect: 'capture', state: 'pending', amount: '600.00' }] });
    expect(await made.post(`_simulator/modifications/${String(id)}/settle`)).toMatchObject({
      modification: { id, state: 'settled' },
    });
    expect(await made.post(`_simulator/modifications/${String(id)}/settle`)).toMatchObject({ status: 409 });
    expect(await made.post(`_simulator/modifications/${String(id)}/decline`)).toMatchObject({
      modification: { id, state: 'declined' },
    });
  });

  test('the bank’s page settles or declines a pending one by its button, and then shows it no more', async () => {
    const { simulator, made } = await server('pending-modification');
    const shown = async () => (await fetch(simulator.url)).text();
    const press = async (button: string) => {
      const body = new URLSearchParams({ id: String(made.id) });
      const reply = await fetch(`${simulator.url}/${button}-modification`, {
        method: 'POST',
        body,
        redirect: 'manual',
      });
      return decodeURIComponent(reply.headers.get('location') ?? '');
    };
    expect(await shown()).toMatch(/Pending captures, voids and refunds.*600\.00 CLP.*capture.*Settle.*Decline/s);
    expect(await press('settle')).toBe('/?said=capture of 600.00 CLP settled.');
    expect(await shown()).not.toContain('Pending captures');
    expect(await press('settle')).toBe('/?said=The modification is settled, not pending.');
    expect(await press('decline')).toBe('/?said=capture of 600.00 CLP declined.');
    expect(simulator.payments()[0]?.state).toBe('authorized');
  });
});
