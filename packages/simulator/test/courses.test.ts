import { defineConnector, providerApi, readPath, statusTable } from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { createSimulator, manualTime } from '../src/index.ts';
import { books, START } from './support/rig.ts';

const settings = z.object({ base_url: z.url() });
const source = 'the provider of this test';
const { endpoint } = providerApi(settings, { source });
const shown = z.object({ id: z.string(), status: z.string() });
const post = (name: string, path: string, body: object = { id: 'c1', status: 'DONE' }) =>
  endpoint({
    name,
    method: 'POST',
    path,
    repeat: 'once',
    request: () => ({}),
    replies: {
      ok: { status: 201, body: shown },
      challenge: { status: 202, body: shown },
      no: { status: 402, body: shown },
    },
    examples: [
      { is: 'ok', body, source },
      { is: 'challenge', body: { id: 'c1', status: 'WAIT' }, source },
      { is: 'no', body: { ...body, status: 'NO' }, source },
    ],
  });

const connector = defineConnector({
  id: 'cards',
  contract: 1,
  version: '1.0.0',
  title: 'Cards',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [
    post('hold', '/holds'),
    post('sale', '/sales'),
    post('complete', '/{id}/complete'),
    post('code', '/{id}/code'),
    post('capture', '/{id}/captures', { id: 'a1', status: 'DONE', total: '1.00' }),
    post('cancel', '/{id}/cancels', { id: 'a1', status: 'DONE' }),
    endpoint({
      name: 'find-action',
      path: '/actions/{reference}',
      repeat: 'safe',
      request: () => ({}),
      reply: shown,
      examples: [{ body: { id: 'a1', status: 'DONE' }, source }],
    }),
    endpoint({
      name: 'list-actions',
      path: '/actions',
      repeat: 'safe',
      request: () => ({}),
      reply: z.object({ actions: z.array(shown) }),
      examples: [{ body: { actions: [] }, source }],
    }),
  ],
  statuses: statusTable({ DONE: 'settled', HELD: 'authorized', NEW: 'pending' }),
  serves: () => [],
});

const opened = {
  request: { merchantReference: 'body.ref', amount: 'body.total', currency: 'body.currency' },
  reply: { id: 'id', status: 'status' },
  examples: { challenged: 'challenge', declined: 'no' },
} as const;
const acted = {
  reply: { modification: 'id', modificationStatus: 'status', amount: 'total' },
  examples: { declined: 'no' },
} as const;
const acting = {
  request: { id: 'params.id', amount: 'body.total', modificationReference: 'body.ref' },
  ...acted,
} as const;

const simulation: Simulation = {
  endpoints: {
    hold: { effect: 'authorize', ...opened },
    sale: { effect: 'charge', ...opened },
    complete: { effect: 'complete', request: { id: 'params.id' }, reply: opened.reply, examples: { declined: 'no' } },
    code: { effect: 'complete', bringsCode: true, request: { id: 'params.id' }, reply: opened.reply },
    'list-actions': {
      effect: 'read',
      request: {},
      reply: {},
      lists: ({ payments, actions }) => ({
        payments: payments.length,
        actions: actions.map(({ action, payment }) => `${action.merchantReference} of ${payment.merchantReference}`),
      }),
    },
    capture: { effect: 'capture', ...acting },
    cancel: { effect: 'cancel', ...acting },
    'find-action': { effect: 'read', request: { modificationReference: 'params.reference' }, reply: acted.reply },
  },
  words: {
    settled: 'DONE',
    pending: 'NEW',
    declined: 'NO',
    authorized: 'HELD',
    challenged: 'WAIT',
    authenticated: 'BACK',
    disputed: 'LOST',
  },
  hidden: ['body.card.number'],
  page: { returnUrl: 'body.back', values: ({ id }) => ({ proof: id }) },
  course: ({ body }) => {
    const card = String(readPath(body, 'card.number'));
    if (card === 'refused') return { refused: { status: 422, body: { why: 'no such card' } } };
    if (card === 'no-capture') return { starts: 'settled', declines: ['capture'] };
    return card === 'challenged' || card === 'redirected'
      ? { starts: 'challenged', leadsTo: 'settled', finishedBy: card === 'challenged' ? 'merchant' : 'payer' }
      : undefined;
  },
};

async function start(dataFile?: string) {
  const time = manualTime(START);
  const simulator = await createSimulator({
    connectors: [{ connector, simulation, settings: { base_url: 'http://127.0.0.1:1' } }],
    clock: time.clock,
    scheduler: time.scheduler,
    scenario: 'settled',
    ...(dataFile !== undefined && { dataFile }),
  });
  onTestFinished(() => simulator.close());
  const ask = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const reply = await fetch(`${simulator.baseUrl('cards')}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await reply.json();
    return { status: reply.status, answer };
  };
  const pay = (path: string, card: string) =>
    ask('POST', path, {
      ref: 'ref-1',
      total: '5.00',
      currency: 'EUR',
      card: { number: card },
      back: 'https://shop.example/back',
    });
  return { simulator, ask, pay, id: () => simulator.payments()[0]?.id ?? '' };
}

it('a request may be refused before there is a payment', async () => {
  const { pay, simulator } = await start();
  expect(await pay('/sales', 'refused')).toEqual({ status: 422, answer: { why: 'no such card' } });
  expect(books(simulator)).toEqual([]);
});

it('a card that says nothing does what the scenario says', async () => {
  const { pay, simulator } = await start();
  expect(await pay('/sales', 'other')).toMatchObject({ status: 201, answer: { status: 'DONE' } });
  expect(books(simulator)).toEqual(['charge 5.00 EUR', 'settled 5.00 EUR']);
});

it('a challenged payment waits for its page and then for the merchant', async () => {
  const { pay, ask, simulator, id } = await start();
  expect(await pay('/holds', 'challenged')).toMatchObject({ status: 202, answer: { status: 'WAIT' } });
  expect((await ask('POST', `/${id()}/complete`)).status).toBe(409);
  const page = await fetch(`${simulator.url}/?payment=${id()}`, {
    method: 'POST',
    body: new URLSearchParams({ a: 'b' }),
  });
  expect(await page.text()).toContain('5.00 EUR');
  expect(simulator.settle(id()).state).toBe('authenticated');
  const done = await (await fetch(`${simulator.url}/?payment=${id()}`)).text();
  expect(done).toContain(`https://shop.example/back?proof=${id()}`);
  expect(await ask('POST', `/${id()}/complete`)).toMatchObject({ status: 201, answer: { status: 'HELD' } });
  expect(await ask('POST', `/${id()}/complete`)).toMatchObject({ status: 201, answer: { status: 'HELD' } });
  expect(books(simulator)).toEqual(['authorize 5.00 EUR']);
});

it('a challenged payment is ended by the payer’s code, which no page comes before', async () => {
  const { pay, ask, simulator, id } = await start();
  expect(await pay('/sales', 'challenged')).toMatchObject({ answer: { status: 'WAIT' } });
  expect(await ask('POST', `/${id()}/code`)).toMatchObject({ status: 201, answer: { status: 'DONE' } });
  expect(await ask('POST', `/${id()}/code`)).toMatchObject({ status: 201, answer: { status: 'DONE' } });
  expect(books(simulator)).toEqual(['charge 5.00 EUR', 'settled 5.00 EUR']);
});

it('the actions of all payments are listed, the youngest last', async () => {
  const { pay, ask, simulator } = await start();
  expect(await ask('GET', '/actions')).toEqual({ status: 200, answer: { payments: 0, actions: [] } });
  for (const ref of ['first', 'second']) {
    await pay('/holds', 'paid');
    await ask('POST', `/${simulator.payments().at(-1)?.id}/captures`, { ref, total: '5.00' });
  }
  expect(await ask('GET', '/actions')).toMatchObject({
    answer: { payments: 2, actions: ['first of ref-1', 'second of ref-1'] },
  });
});

it('a challenged payment whose page is the end is paid there', async () => {
  const { pay, simulator, id } = await start();
  await pay('/sales', 'redirected');
  expect(simulator.settle(id()).state).toBe('settled');
  expect(books(simulator)).toEqual(['charge 5.00 EUR', 'settled 5.00 EUR']);
});

it('a declined modification is reported as such, has an id of its own, and moves nothing', async () => {
  const { pay, ask, simulator, id } = await start();
  await pay('/holds', 'no-capture');
  const { status, answer } = await ask('POST', `/${id()}/captures`, { ref: 'act-1', total: '2.00' });
  expect([status, answer]).toMatchObject([402, { status: 'NO', total: '2.00' }]);
  expect(await ask('GET', '/actions/act-1')).toMatchObject({
    status: 200,
    answer: { status: 'NO', id: readPath(answer, 'id') },
  });
  expect((await ask('GET', '/actions/act-2')).status).toBe(404);
  expect(books(simulator)).toEqual(['authorize 5.00 EUR']);
});

it('settled money is cancelled, or taken back by the payer’s bank', async () => {
  const { pay, ask, simulator, id } = await start();
  await pay('/sales', 'other');
  expect(await ask('POST', `/${id()}/cancels`, { ref: 'act-1' })).toMatchObject({ status: 201 });
  expect((await ask('POST', `/${id()}/cancels`, { ref: 'act-2' })).status).toBe(409);
  await pay('/sales', 'other');
  const second = simulator.payments()[1]?.id ?? '';
  const disputed = await fetch(`${simulator.url}/_simulator/payments/${second}/dispute`, { method: 'POST' });
  expect(disputed.status).toBe(200);
  expect(books(simulator).slice(2)).toEqual([
    'cancel 5.00 EUR',
    'charge 5.00 EUR',
    'settled 5.00 EUR',
    'disputed 5.00 EUR',
  ]);
  expect(() => simulator.dispute(second)).toThrow('The payment is disputed, not settled.');
});

it('what is hidden is kept nowhere', async () => {
  const { pay, simulator } = await start();
  await pay('/sales', 'challenged');
  expect(JSON.stringify(simulator.payments())).not.toContain('"challenged"}');
  expect(readPath(simulator.payments()[0]?.request, 'card.number')).toBe('•••');
});
