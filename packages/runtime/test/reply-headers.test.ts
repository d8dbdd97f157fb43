import { call, providerApi, type Outcome, settled, type Steps } from '@railyard/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { preview } from '../src/index.ts';
import { connectorOf, endpoint, five, hostOf, json, runOf, settings } from './support/sample.ts';

/** Berlin Group, XS2A 1.3, 5.3.1: `Location` of the payment. UK Open Banking 4.0: `Retry-After`, and a correlation id in a header. */
const accept = endpoint({
  name: 'accept',
  method: 'POST',
  path: '/transactions',
  repeat: 'keyed',
  visible: ['headers.x-correlation-id'],
  request: () => ({ json: {} }),
  replies: {
    accepted: {
      status: 202,
      headers: z.object({ location: z.string(), 'x-correlation-id': z.string().optional() }),
      body: z.unknown(),
    },
    busy: {
      status: 429,
      refuses: { says: 'try again later' },
      headers: z.object({ 'retry-after': z.coerce.number() }),
      body: z.unknown(),
    },
  },
  examples: [
    { is: 'accepted', body: {}, headers: { location: '/requests/1', 'set-cookie': 'a' }, source: 'the test itself' },
  ],
});

function* flow(): Steps<Outcome> {
  const made = yield* call(accept, undefined);
  return made.reply === 'accepted'
    ? settled(made.headers.location, five)
    : settled(`after ${made.headers['retry-after']} s`, five);
}
const connector = connectorOf(flow, [accept]);

const answering = (status: number, headers: Readonly<Record<string, string>>) =>
  hostOf(() => ({ ...json(status, {}), headers }));

test('a flow reads the headers that its reply declares, and the journal keeps no other', async () => {
  const { drive, journal, log } = answering(202, {
    location: '/requests/7',
    'x-correlation-id': 'c-1',
    'set-cookie': 'session=secret',
  });
  expect(await drive(connector)).toMatchObject({ outcome: settled('/requests/7', five) });
  expect(journal.text()).toContain('/requests/7');
  expect(journal.text()).not.toContain('secret');
  expect(log.join()).toContain('"x-correlation-id":"c-1"');
  expect(log.join()).not.toMatch(/requests\/7|secret/);
});

test('headers pass through their schema, each reply with its own', async () => {
  expect(await answering(429, { 'retry-after': '120' }).drive(connector)).toMatchObject({
    outcome: settled('after 120 s', five),
  });
});

test('a reply without a header that is declared as given is not understood, and moves nothing', async () => {
  const { drive, log } = answering(202, { 'retry-after': '1' });
  expect(await drive(connector)).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
  expect(log.join()).toContain('the reply of accept does not fit \\"accepted\\" at headers.location');
});

test('an example answers a preview with its headers', () => {
  expect(preview(runOf(connector))).toMatchObject({ end: 'settled' });
});

test('a header that is declared with capitals is refused, because none would arrive under that name', () => {
  const declare = () =>
    providerApi(settings, { source: 'a test' }).endpoint({
      name: 'a',
      path: '/a',
      repeat: 'safe',
      request: () => ({}),
      replies: { ok: { status: 200, headers: z.object({ Location: z.string() }), body: z.unknown() } },
    });
  expect(declare).toThrow('Endpoint "a" reads the header "Location". Write its name in lower case.');
});

test('an endpoint is reached at its own base URL, the others at the connector’s', async () => {
  const token = endpoint({
    name: 'token',
    path: '/token',
    baseUrl: () => 'https://login.bank.example/oauth/',
    repeat: 'safe',
    request: () => ({}),
    reply: z.object({}),
    examples: [{ body: {}, source: 'the test itself' }],
  });
  const both = connectorOf(
    function* () {
      yield* call(token, undefined);
      return yield* flow();
    },
    [token, accept],
  );
  const { drive, requests } = hostOf(({ url }) => ({
    ...json(url.includes('token') ? 200 : 202, {}),
    headers: { location: '/requests/7' },
  }));
  await drive(both);
  expect(requests.map(({ url }) => url)).toEqual([
    'https://login.bank.example/oauth/token',
    'https://api.example/v1/transactions',
  ]);
  expect(preview(runOf(both)).requests.map(({ baseUrl }) => baseUrl)).toEqual([
    'https://login.bank.example/oauth',
    undefined,
  ]);
});
