import { call, defineConnector, settled } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { HttpRequest } from '../src/index.ts';
import { connectorOf, endpoint, five, hostOf, json, pathOf } from './support/sample.ts';

const read = { method: 'GET', repeat: 'safe' } as const;

/** GSMA Mobile Money API 1.2: `/responses` answers our own correlation id by the link of what the request made. */
const response = endpoint({
  ...read,
  name: 'response',
  path: '/responses/{id}',
  request: (id: string) => ({ params: { id } }),
  replies: {
    known: { status: 200, body: z.object({ link: z.string() }) },
    absent: { status: 404, body: z.unknown() },
  },
});
const transaction = endpoint({
  ...read,
  name: 'transaction',
  path: '/transactions/{id}',
  request: (id: string) => ({ params: { id } }),
  reply: z.object({ transactionReference: z.string() }),
});

const transact = endpoint({
  name: 'transact',
  method: 'POST',
  path: '/transactions',
  repeat: 'by-reference',
  request: (_correlation: string, { key }) => ({ headers: { 'x-correlationid': key }, json: {} }),
  find: {
    endpoints: [response, transaction],
    *steps(_correlation, { key }) {
      const answered = yield* call(response, key);
      if (answered.reply === 'absent') return 'absent';
      const [, id] = /^\/transactions\/(\w+)$/.exec(answered.body.link) ?? [];
      if (id === undefined) return 'unclear';
      return { found: yield* call(transaction, id) };
    },
  },
  reply: z.object({ transactionReference: z.string() }),
});

const connector = connectorOf(
  function* () {
    const made = yield* call(transact, 'c-1');
    return settled(made.transactionReference, five);
  },
  [transact, response, transaction],
);

const LOST = { kind: 'lost', why: 'reset' } as const;

/** A provider that loses the reply of the first request and knows what it is given. */
function provider(link: string | undefined, transactionStatus = 200) {
  let posts = 0;
  return hostOf((request) => {
    if (request.method === 'POST') return (posts += 1) === 1 ? LOST : json(200, { transactionReference: 'again' });
    if (pathOf(request).includes('responses')) return link === undefined ? json(404, {}) : json(200, { link });
    return json(transactionStatus, { transactionReference: 'T7' });
  });
}
const posts = (requests: readonly HttpRequest[]) => requests.filter(({ method }) => method === 'POST');

describe('a request that is found by a short flow', () => {
  test('goes on with what the second call finds, and is not sent again', async () => {
    const { drive, requests, journal } = provider('/transactions/T7');
    await drive(connector);
    expect(await drive(connector)).toMatchObject({ outcome: settled('T7', five) });
    const [first] = posts(requests);
    expect(requests.map(pathOf)).toEqual([
      '/v1/transactions',
      `/v1/responses/${first?.headers['x-correlationid']}`,
      '/v1/transactions/T7',
    ]);
    expect((await journal.load('run-1')).map(({ step }) => step)).toEqual(['transact']);
  });

  test('is sent again where its first call finds nothing', async () => {
    const { drive, requests } = provider(undefined);
    await drive(connector);
    expect(await drive(connector)).toMatchObject({ outcome: settled('again', five) });
    expect(posts(requests)).toHaveLength(2);
  });

  test('stays unknown where the flow does not say, and is not sent again', async () => {
    const { drive, requests } = provider('/requeststates/9');
    await drive(connector);
    expect(await drive(connector)).toMatchObject({ outcome: { status: 'unknown' } });
    expect(posts(requests)).toHaveLength(1);
  });

  test('is looked up once more later where the second call has no answer', async () => {
    const { drive, requests } = provider('/transactions/T7', 500);
    await drive(connector);
    expect(await drive(connector)).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(posts(requests)).toHaveLength(1);
  });

  test('that never ends is stopped as a fault of the connector', async () => {
    const endless = endpoint({
      name: 'endless',
      method: 'POST',
      path: '/transactions',
      repeat: 'by-reference',
      request: (_input: string) => ({ json: {} }),
      find: {
        endpoints: [response],
        *steps(_input, { key }) {
          for (;;) yield* call(response, key);
        },
      },
      reply: z.object({}),
    });
    const waiting = connectorOf(
      function* () {
        yield* call(endless, 'c-1');
        return settled('x', five);
      },
      [endless, response],
    );
    const { drive } = provider('/requeststates/9');
    await drive(waiting);
    expect(await drive(waiting)).toMatchObject({
      kind: 'failed',
      error: new Error('"endless" is not found by 10 calls. Answer "unclear" sooner.'),
    });
  });

  test('may call only the endpoints that it lists', async () => {
    const hidden = endpoint({
      name: 'hidden',
      method: 'POST',
      path: '/transactions',
      repeat: 'by-reference',
      request: (_input: string) => ({ json: {} }),
      find: {
        endpoints: [response],
        *steps() {
          return { found: yield* call(transaction, 'T7') };
        },
      },
      reply: z.object({ transactionReference: z.string() }),
    });
    const hiding = connectorOf(
      function* () {
        yield* call(hidden, 'c-1');
        return settled('x', five);
      },
      [hidden, response, transaction],
    );
    const { drive } = provider(undefined);
    await drive(hiding);
    expect(await drive(hiding)).toMatchObject({
      kind: 'failed',
      error: { message: expect.stringContaining('the safe endpoints that its `find` lists') },
    });
  });

  test('must be found by safe endpoints alone', () => {
    const moving = endpoint({
      name: 'moving',
      method: 'POST',
      path: '/a',
      repeat: 'by-reference',
      request: (_input: string) => ({}),
      find: {
        endpoints: [response, transact],
        *steps() {
          yield* [];
          return 'absent';
        },
      },
      reply: z.object({}),
    });
    const { id, contract, version, title, settings, statuses, baseUrl } = connector;
    const declared = { id, contract, version, title, settings, statuses, baseUrl, serves: () => [] };
    expect(() => defineConnector({ ...declared, endpoints: [moving] })).toThrow(
      '"moving" is found by "transact", which must be declared safe',
    );
  });
});
