import { call, providerApi, settled } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { drive, memoryJournal } from '../src/index.ts';
import {
  card,
  chargeConnector,
  charges,
  connectorOf,
  endpoint,
  five,
  hostOf,
  json,
  pathOf,
  type Policy,
  runOf,
} from './support/sample.ts';

const LOST = { kind: 'lost', why: 'reset' } as const;
const NOT_SENT = { kind: 'not-sent', why: 'refused' } as const;

type Answer = { readonly status: number; readonly body: string } | typeof LOST | typeof NOT_SENT;

/** Answers tokens, and charges from a list. */
function provider(answers: readonly Answer[], known: readonly string[] = []) {
  let next = 0;
  let tokens = 0;
  return hostOf((request) => {
    if (pathOf(request) === '/v1/token') return json(200, { token: `t${(tokens += 1)}` });
    if (request.method === 'GET') return json(200, { charges: known.map((id) => ({ id })) });
    return answers[next++] ?? json(201, { id: 'c1' });
  });
}

const posts = (requests: readonly { method: string }[]) => requests.filter((each) => each.method === 'POST').length;

describe.each<[Policy]>([['safe'], ['keyed'], ['by-reference'], ['once']])('a call that is %s', (policy) => {
  test('is answered from the journal once it has a reply', async () => {
    const { requests, drive } = provider([]);
    const first = await drive(chargeConnector(policy));
    expect(first).toEqual({ kind: 'done', outcome: settled('c1', five) });
    expect(await drive(chargeConnector(policy))).toEqual(first);
    expect(posts(requests)).toBe(1);
  });

  test('goes on after a request that provably never left', async () => {
    const { drive } = provider([NOT_SENT]);
    expect(await drive(chargeConnector(policy))).toEqual({ kind: 'interrupted', why: 'refused', mayHaveMoved: false });
    expect(await drive(chargeConnector(policy))).toMatchObject({ kind: 'done', outcome: { status: 'settled' } });
  });

  test('gives a typed decline that arrives as 402', async () => {
    const { drive } = provider([json(402, { code: '51' })]);
    expect(await drive(chargeConnector(policy))).toMatchObject({ outcome: { status: 'declined', reason: '51' } });
  });

  test('renews a token that is refused, once', async () => {
    const { requests, drive } = provider([json(401, {})]);
    // What is never sent again is left to a lookup: the provider may have charged before it answered 401.
    const isSentAgain = policy !== 'once';
    expect(await drive(chargeConnector(policy))).toMatchObject({
      outcome: { status: isSentAgain ? 'settled' : 'unknown' },
    });
    const [none, first, again, ...rest] = requests.map((each) => each.headers.authorization);
    expect([none, first, again]).toEqual([undefined, 't1', undefined]);
    expect(new Set(rest)).toEqual(new Set(isSentAgain ? ['t2'] : []));
    expect(posts(requests.filter((each) => pathOf(each) === '/v1/charges'))).toBe(isSentAgain ? 2 : 1);
  });

  test('stops when the new token is refused too', async () => {
    const { drive } = provider([json(401, {}), json(401, {})]);
    expect(await drive(chargeConnector(policy))).toMatchObject(
      policy === 'once' ? { outcome: { status: 'unknown' } } : { kind: 'interrupted', mayHaveMoved: policy !== 'safe' },
    );
  });
});

describe('a request whose reply is lost', () => {
  test.each([
    ['the connection broke', LOST],
    ['the answer is an HTML page', { status: 502, body: '<html>' }],
    ['the answer is cut off', { status: 201, body: '{"id":"c' }],
    ['the status is a new one', { status: 418, body: '{}' }],
  ])('is not repeated when it is declared once (%s)', async (_what, answer) => {
    const { requests, drive } = provider([answer]);
    const result = await drive(chargeConnector('once'));
    expect(result).toMatchObject({ kind: 'done', outcome: { status: 'unknown' } });
    expect(await drive(chargeConnector('once'))).toMatchObject({ outcome: { status: 'unknown' } });
    expect(posts(requests)).toBe(1);
  });

  test('is sent again with the same bytes when it is keyed', async () => {
    const { requests, drive } = provider([LOST]);
    expect(await drive(chargeConnector('keyed'))).toEqual({ kind: 'interrupted', why: 'reset', mayHaveMoved: true });
    expect(await drive(chargeConnector('keyed'))).toMatchObject({ outcome: { status: 'settled' } });
    const [first, second] = requests.filter((each) => each.method === 'POST');
    expect(first).toEqual(second);
  });

  test('is found by its reference and not sent again', async () => {
    const { requests, drive } = provider([LOST], ['c9']);
    await drive(chargeConnector('by-reference'));
    expect(await drive(chargeConnector('by-reference'))).toEqual({ kind: 'done', outcome: settled('c9', five) });
    expect(posts(requests)).toBe(1);
  });

  test('is sent again when the provider does not know its reference', async () => {
    const { requests, drive } = provider([LOST], []);
    await drive(chargeConnector('by-reference'));
    expect(await drive(chargeConnector('by-reference'))).toMatchObject({ outcome: { status: 'settled' } });
    expect(posts(requests)).toBe(2);
  });

  test('stays in doubt when the repetition is refused before it leaves', async () => {
    const { journal, drive } = provider([LOST, NOT_SENT, json(401, {}), json(401, {})]);
    await drive(chargeConnector('keyed'));
    expect(await drive(chargeConnector('keyed'))).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(await drive(chargeConnector('keyed'))).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(await journal.load('run-1')).toMatchObject([{ step: 'charge', state: 'begun' }]);
  });

  test('is looked up with a new token when the lookup is refused', async () => {
    let finds = 0;
    const { requests, drive } = hostOf((request) => {
      if (pathOf(request) === '/v1/token') return json(200, { token: 't' });
      if (request.method === 'POST') return LOST;
      return (finds += 1) === 1 ? json(401, {}) : json(200, { charges: [{ id: 'c9' }] });
    });
    await drive(chargeConnector('by-reference'));
    expect(await drive(chargeConnector('by-reference'))).toMatchObject({ outcome: { providerReference: 'c9' } });
    expect(requests.filter((each) => pathOf(each) === '/v1/token')).toHaveLength(2);
  });
});

describe('a keyed call whose provider keeps keys for a day', () => {
  const HOUR = 3_600_000;
  const facts = { path: '/charges', request: () => ({ json: {} }), reply: z.object({ id: z.string() }) };
  const ofApi = providerApi(z.object({ base_url: z.string() }), { source: 'a test', keyed: { forHours: 24 } });
  const declared = {
    'by itself': endpoint({ ...facts, name: 'charge', repeat: 'keyed', keyed: { forHours: 24 } }),
    'by its API': ofApi.endpoint({ ...facts, name: 'charge', repeat: 'keyed' }),
    'by itself, in place of its API': providerApi(z.object({ base_url: z.string() }), {
      source: 'a test',
      keyed: { forHours: 1 },
    }).endpoint({ ...facts, name: 'charge', repeat: 'keyed', keyed: { forHours: 24 } }),
  };

  test.each(Object.entries(declared))(
    'said %s: an older request without a reply is not sent again, and the payment is unknown',
    async (_by, charge) => {
      const connector = connectorOf(
        function* () {
          return settled((yield* call(charge, undefined)).id, five);
        },
        [charge],
      );
      let now = Date.parse('2026-11-21T10:00:00Z');
      const journal = memoryJournal('[]', () => now);
      const { host, requests } = hostOf(() => LOST, journal);
      const driven = () => drive(runOf(connector), { ...host, now: () => now });
      expect(await driven()).toMatchObject({ kind: 'interrupted' });
      now += 24 * HOUR - 1;
      expect(await driven()).toMatchObject({ kind: 'interrupted' });
      expect(requests).toHaveLength(2);
      now += 1;
      expect(await driven()).toMatchObject({ kind: 'done', outcome: { status: 'unknown' } });
      expect(requests).toHaveLength(2);
    },
  );

  test('is sent however late where an earlier one provably did not leave the host', async () => {
    const charge = declared['by itself'];
    const connector = connectorOf(
      function* () {
        return settled((yield* call(charge, undefined)).id, five);
      },
      [charge],
    );
    let now = 0;
    const answers = [NOT_SENT, json(201, { id: 'c1' })];
    const { host } = hostOf(
      () => answers.shift() ?? LOST,
      memoryJournal('[]', () => now),
    );
    await drive(runOf(connector), { ...host, now: () => now });
    now += 100 * HOUR;
    expect(await drive(runOf(connector), { ...host, now: () => now })).toMatchObject({
      outcome: { status: 'settled' },
    });
  });
});

describe('card data', () => {
  const charge = endpoint({
    name: 'charge',
    method: 'POST',
    path: '/charges',
    repeat: 'keyed',
    request: () => ({ json: { pan: card.number, cvv: card.cvv } }),
    reply: z.object({ id: z.string() }),
    visible: ['id', 'pan', 'cvv'],
  });
  const connector = connectorOf(
    function* () {
      return settled((yield* call(charge, undefined)).id, five);
    },
    [charge],
  );
  const held = { number: '4111111111111111', cvv: '737' };

  test('is filled in when the request leaves, and stands nowhere else', async () => {
    const { host, requests, journal, log } = hostOf(() => json(200, { id: 'c1' }), memoryJournal(), held);
    await drive(runOf(connector), host);
    expect(requests[0]?.body).toBe('{"pan":"4111111111111111","cvv":"737"}');
    expect(log).toHaveLength(1);
    expect(journal.text() + log.join('')).not.toMatch(/41111111|(?<![\da-f-])737(?![\da-f-])/);
  });

  test('in a parameter that its connector takes for something else is sent, answered and kept, and in no line of the log', async () => {
    const pay = endpoint({
      name: 'pay-out',
      method: 'POST',
      path: '/payouts',
      repeat: 'keyed',
      request: () => ({ json: { account: '5200 8282 8282 8210', id: '1732260000000' } }),
      reply: z.object({ id: z.string() }),
      visible: ['account', 'id', 'text', 'number'],
    });
    const answer = { id: '5200828282828210', text: 'No 5200-8282-8282-8210.', number: 5_200_828_282_828_210 };
    const { host, requests, log } = hostOf(() => json(200, answer));
    const paying = connectorOf(
      function* () {
        return settled((yield* call(pay, undefined)).id, five);
      },
      [pay],
    );
    // A reference of the provider's may be as long.
    expect(await drive(runOf(paying), host)).toMatchObject({ outcome: { providerReference: answer.id } });
    expect(requests[0]?.body).toContain('5200 8282 8282 8210');
    expect(log.map((line): unknown => JSON.parse(line))).toMatchObject([
      {
        request: { account: '•••', id: '1732260000000' },
        reply: { id: '•••', text: 'No •••.', number: '•••' },
      },
    ]);
  });

  test('that is gone before anything was sent asks for the card again', async () => {
    const { host, requests } = hostOf(() => json(200, { id: 'c1' }), memoryJournal(), { number: held.number });
    expect(await drive(runOf(connector), host)).toMatchObject({ outcome: { status: 'declined', kind: 'soft' } });
    expect(requests).toEqual([]);
  });

  test('that is gone after a send makes the outcome unknown', async () => {
    const journal = memoryJournal();
    await drive(runOf(connector), hostOf(() => LOST, journal, held).host);
    const later = hostOf(() => json(200, { id: 'c1' }), memoryJournal(journal.text()), {});
    expect(await drive(runOf(connector), later.host)).toMatchObject({ outcome: { status: 'unknown' } });
    expect(later.requests).toEqual([]);
  });
});

describe('errors', () => {
  test('of the journal are the host’s and come out', async () => {
    const journal = memoryJournal();
    const { host } = hostOf(() => json(200, { token: 't' }));
    const broken = { ...journal, begin: () => Promise.reject(new Error('disk full')) };
    await expect(drive(runOf(chargeConnector('keyed')), { ...host, journal: broken })).rejects.toThrow('disk full');
  });

  test('of a flow are the connector’s, with what is known of money', async () => {
    const connector = connectorOf(
      function* () {
        yield* call(charges.keyed, 't');
        throw new Error('at fault');
      },
      [charges.keyed],
    );
    const { host } = hostOf(() => json(201, { id: 'c1' }));
    const result = await drive(runOf(connector), host);
    expect(result).toMatchObject({ kind: 'failed', mayHaveMoved: true, error: { message: 'at fault' } });
  });

  test('of a reply’s schema leave the money in doubt', async () => {
    const thrower = endpoint({
      name: 'charge',
      method: 'POST',
      path: '/charges',
      repeat: 'once',
      request: () => ({ json: {} }),
      reply: z.object({ id: z.string() }).transform((): { id: string } => {
        throw new Error('at fault');
      }),
    });
    const connector = connectorOf(
      function* () {
        return settled((yield* call(thrower, undefined)).id, five);
      },
      [thrower],
    );
    const { host } = hostOf(() => json(200, { id: 'c1' }));
    expect(await drive(runOf(connector), host)).toMatchObject({ kind: 'failed', mayHaveMoved: true });
    expect(await drive(runOf(connector), host)).toMatchObject({ kind: 'done', outcome: { status: 'unknown' } });
  });

  test('name an endpoint that the connector forgot to list', async () => {
    const connector = connectorOf(function* () {
      return settled(String((yield* call(charges.keyed, 't')).reply), five);
    }, []);
    const result = await drive(runOf(connector), hostOf(() => json(201, {})).host);
    expect(result).toMatchObject({ kind: 'failed', mayHaveMoved: false });
    expect(result).toMatchObject({ error: { message: expect.stringContaining('"charge"') } });
  });
});

test('a flow whose steps changed while it was under way ends unknown', async () => {
  const journal = memoryJournal();
  await drive(runOf(chargeConnector('keyed')), hostOf(() => json(200, { token: 't' }), journal).host);
  const renamed = connectorOf(
    function* () {
      return settled(String((yield* call(charges.keyed, 't', 'pay')).reply), five);
    },
    [charges.keyed],
  );
  const { host, requests } = hostOf(() => json(201, { id: 'c1' }), journal);
  expect(await drive(runOf(renamed), host)).toMatchObject({ outcome: { status: 'unknown' } });
  expect(requests).toEqual([]);
});

test('a flow that ends before its journal does ends unknown', async () => {
  const journal = memoryJournal();
  await journal.begin('run-1', 'charge', 'call');
  const shorter = connectorOf(function* () {
    yield* [];
    return settled('c1', five);
  }, []);
  const result = await drive(runOf(shorter), hostOf(() => json(200, {}), journal).host);
  expect(result).toMatchObject({ outcome: { status: 'unknown' } });
});

test('what a reply’s schema does not name is not written down', async () => {
  const { journal, drive } = provider([json(201, { id: 'c1', payer_token: 'leak' })]);
  await drive(chargeConnector('once'));
  expect(journal.text()).toContain('c1');
  expect(journal.text()).not.toContain('leak');
});
