import { call, declined, type Outcome, settled, type Steps } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { drive } from '../src/index.ts';
import { movingConnector, MOVING_FLOWS, movingRun } from './support/moving.ts';
import { charges, connectorOf, endpoint, five, hostOf, json, pathOf, type Policy } from './support/sample.ts';

const body = z.object({ code: z.string() });
const POLICIES: readonly Policy[] = ['once', 'keyed', 'by-reference', 'safe'];

/** A connector whose author read a list of statuses as a list of refusals. */
const describing = <E extends (typeof charges)[Policy]>(charge: E): E => {
  const { made } = charge.variants;
  if (made === undefined) throw new Error('The endpoint has no reply of success.');
  return { ...charge, variants: { made, refused: { status: [402, 500, 502, 503], body } } };
};

describe('a reply of 503 that a variant describes as a refusal', () => {
  const failing = () => {
    let charged = 0;
    return hostOf((request) => {
      if (pathOf(request) === '/v1/token') return json(200, { token: 't' });
      if (request.method === 'GET') return json(200, { charges: charged > 0 ? [{ id: 'c1' }] : [] });
      charged += 1;
      return charged === 1 ? json(503, { code: 'SERVER_ERROR' }) : json(201, { id: 'c1' });
    });
  };

  test.each(MOVING_FLOWS.flatMap((flow) => POLICIES.map((policy) => [policy, flow] as const)))(
    'leaves a %s %s in doubt, and is never its decline',
    async (policy, flow) => {
      const connector = movingConnector(describing(charges[policy]));
      const { host } = failing();
      const first = await drive(movingRun(connector, 'run-1', flow), host);
      expect(first).toMatchObject(
        policy === 'once'
          ? { kind: 'done', outcome: { status: 'unknown', why: expect.stringContaining('503') } }
          : { kind: 'interrupted', mayHaveMoved: policy !== 'safe' },
      );
      expect(await drive(movingRun(connector, 'run-1', flow), host)).toMatchObject({
        outcome: { status: policy === 'once' ? 'unknown' : 'settled' },
      });
    },
  );
});

test('a lookup that is answered with a described 500 finds nothing out, and does not repeat the request', async () => {
  const lookup = endpoint({
    name: 'find',
    path: '/charges',
    repeat: 'safe',
    request: () => ({}),
    replies: { found: { status: 200, body }, absent: { status: [404, 500], body } },
  });
  const charge = endpoint({
    name: 'charge',
    path: '/charges',
    repeat: 'by-reference',
    request: () => ({ json: {} }),
    find: { endpoint: lookup, input: () => undefined, read: () => 'absent' },
    reply: z.object({ id: z.string() }),
  });
  const connector = connectorOf(
    function* (): Steps<Outcome> {
      return settled((yield* call(charge, undefined)).id, five);
    },
    [charge, lookup],
  );
  const { drive: driving, requests } = hostOf(({ method }) =>
    method === 'GET' ? json(500, { code: 'SERVER_ERROR' }) : { kind: 'lost', why: 'No complete reply in time.' },
  );
  await driving(connector);
  expect(await driving(connector)).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

test('a status below 500 that a variant describes stays the refusal that it is', async () => {
  const connector = movingConnector(describing(charges.once));
  const { host } = hostOf(() => json(402, { code: 'no_money' }));
  expect(await drive(movingRun(connector, 'run-1', 'credit'), host)).toEqual({
    kind: 'done',
    outcome: declined('soft', 'declined_by_provider', { reason: 'no_money' }),
  });
});

test('a status from 500 on is the refusal that it is where its variant quotes the provider, and of a repeat it is none', async () => {
  const { made } = charges.keyed.variants;
  if (made === undefined) throw new Error('The endpoint has no reply of success.');
  const refused = { status: 503, refuses: { says: '503 MAINTENANCE: no request was processed' }, body };
  const connector = movingConnector({ ...charges.keyed, variants: { made, refused } });
  const { host } = hostOf(() => json(503, { code: 'MAINTENANCE' }));
  const isDeclined = { outcome: declined('soft', 'declined_by_provider', { reason: 'MAINTENANCE' }) };
  expect(await drive(movingRun(connector, 'told', 'credit'), host)).toMatchObject(isDeclined);
  await host.journal.begin('lost', 'charge', 'call');
  expect(await drive(movingRun(connector, 'lost', 'credit'), host)).toMatchObject({ outcome: { status: 'unknown' } });
});
