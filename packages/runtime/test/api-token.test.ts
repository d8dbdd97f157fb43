import { call, declined, providerApi, settled } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { drive } from '../src/index.ts';
import { connectorOf, five, hostOf, json, pathOf, runOf, settings, values } from './support/sample.ts';

const charge = z.object({ id: z.string() });
const api = providerApi(settings, {
  source: 'https://docs.example',
  token: {
    path: '/token',
    client: ({ api_key: secret }) => ({ by: 'basic', id: 'shop', secret }),
    scope: 'payments',
  },
  headers: () => ({ 'x-shop': 'one' }),
});
const findCharge = api.lookup('find-charge', '/charges/{reference}', {
  found: charge,
  absent: z.object({}),
  samples: { found: { id: 'c1' }, absent: {} },
});
const createCharge = api.endpoint({
  name: 'create-charge',
  path: '/charges',
  repeat: 'by-reference',
  request: (reference: string) => ({ json: { reference } }),
  find: {
    endpoint: findCharge,
    input: (reference) => reference,
    read: (answer) =>
      answer.reply === 'found' ? { found: { reply: 'created' as const, body: answer.body } } : 'absent',
  },
  replies: { created: { status: 201, body: charge } },
});
const publicFees = api.endpoint({
  name: 'public-fees',
  path: '/fees',
  repeat: 'safe',
  bearer: false,
  request: () => ({}),
  reply: z.object({}),
});

const connector = connectorOf(function* () {
  yield* call(publicFees, undefined);
  const made = yield* call(createCharge, 'r-1');
  const found = yield* call(findCharge, 'r-1');
  return found.reply === 'found' ? settled(made.body.id, five) : declined('hard', 'declined_by_provider');
}, api.endpoints);

/** A provider that numbers its tokens, and answers the charges and lookups in this order. */
function provider(...answers: (ReturnType<typeof json> | { readonly kind: 'lost'; readonly why: string })[]) {
  let tokens = 0;
  const host = hostOf((request) => {
    if (pathOf(request).endsWith('/token')) return json(200, { access_token: `t${(tokens += 1)}` });
    if (pathOf(request).endsWith('/fees')) return json(200, {});
    return answers.shift() ?? json(200, { id: 'c1' });
  });
  return {
    ...host,
    sent: () =>
      host.requests.map((each) => [
        pathOf(each).replace('/v1', ''),
        each.headers['authorization'] ?? 'none',
        each.headers['x-shop'] ?? 'none',
      ]),
  };
}

const BASIC = `Basic ${btoa('shop:k-secret')}`;

describe('an API with a token', () => {
  test('asks for the token once, and every request but those without a bearer carries it', async () => {
    const { drive, requests, sent } = provider(json(201, { id: 'c1' }));
    expect(await drive(connector)).toMatchObject({ outcome: { status: 'settled' } });
    expect(sent()).toEqual([
      ['/fees', 'none', 'one'],
      ['/token', BASIC, 'none'],
      ['/charges', 'Bearer t1', 'one'],
      ['/charges/r-1', 'Bearer t1', 'one'],
    ]);
    expect(requests[1]?.body).toBe('grant_type=client_credentials&scope=payments');
  });

  test('gets a token for each account: no account sends the one of another', async () => {
    const { host, sent } = provider(json(201, { id: 'c1' }), json(200, { id: 'c1' }), json(201, { id: 'c2' }));
    const run = runOf(connector);
    const other = { ...run, id: 'run-2', mid: 'other', settings: { ...values, api_key: 'k-other' } };
    await drive(run, host);
    await drive(other, host);
    expect(sent().filter(([path]) => path === '/token' || path === '/charges')).toEqual([
      ['/token', BASIC, 'none'],
      ['/charges', 'Bearer t1', 'one'],
      ['/token', `Basic ${btoa('shop:k-other')}`, 'none'],
      ['/charges', 'Bearer t2', 'one'],
    ]);
  });

  test('writes the token down nowhere', async () => {
    const { drive, journal, log } = provider(json(201, { id: 'c1' }));
    await drive(connector);
    expect(JSON.stringify([await journal.load('run-1'), log])).not.toContain('t1');
  });

  test('gets a new token where one is refused, once', async () => {
    const { drive, sent } = provider(json(401, {}), json(404, {}), json(201, { id: 'c1' }));
    expect(await drive(connector)).toMatchObject({ outcome: { status: 'settled' } });
    const charged = sent().filter(([path]) => path?.startsWith('/charges'));
    expect(charged.slice(0, 3)).toEqual([
      ['/charges', 'Bearer t1', 'one'],
      ['/charges/r-1', 'Bearer t2', 'one'],
      ['/charges', 'Bearer t2', 'one'],
    ]);
  });

  test('finds a lost request with the token, and with a new one where that is refused', async () => {
    const { drive, sent } = provider({ kind: 'lost', why: 'reset' }, json(401, {}), json(200, { id: 'c9' }));
    await drive(connector);
    expect(await drive(connector)).toMatchObject({ outcome: { status: 'settled', providerReference: 'c9' } });
    const [refused, found] = sent().flatMap(([path, bearer]) => (path === '/charges/r-1' ? [bearer] : []));
    expect([refused, found]).toEqual(['Bearer t1', 'Bearer t2']);
    expect(sent().filter(([path]) => path === '/charges')).toHaveLength(1);
  });

  test('a request that is built without the token is refused', () => {
    const build = () => findCharge.request('r-1', { settings: { base_url: '', api_key: '' }, key: '' });
    expect(build).toThrow('"find-charge" carries an access token, and was built without one.');
  });
});
