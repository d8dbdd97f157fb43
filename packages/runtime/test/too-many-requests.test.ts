import { call, type Outcome, settled, type Steps } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { drive } from '../src/index.ts';
import { movingConnector, MOVING_FLOWS, movingRun } from './support/moving.ts';
import {
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

const POLICIES: readonly Policy[] = ['once', 'keyed', 'by-reference', 'safe'];
const LOST = { kind: 'lost', why: 'No complete reply in time.' } as const;
const made = json(201, { id: 'c1' });
const turnedAway = (retryAfter: string) => ({
  ...json(429, { code: 'slow_down' }),
  headers: { 'retry-after': retryAfter },
});

/** An endpoint whose author took 429 for a refusal. */
const describing = <E extends (typeof charges)[Policy]>(charge: E): E => {
  const { made: taken } = charge.variants;
  if (taken === undefined) throw new Error('The endpoint has no reply of success.');
  const body = z.object({ code: z.string() });
  return { ...charge, variants: { made: taken, refused: { status: [402, 429], body } } };
};

/** Answers moving requests from a list; lookups find nothing. */
function answering(answers: readonly (typeof made | typeof LOST)[]) {
  let next = 0;
  return hostOf((request) => {
    if (pathOf(request) === '/v1/token') return json(200, { token: 't' });
    if (request.method === 'GET') return json(200, { charges: [] });
    const answer = answers[(next += 1) - 1];
    if (answer === undefined) throw new Error(`The provider was asked ${next} times.`);
    return answer;
  });
}

describe('a request that is answered 429', () => {
  test.each(MOVING_FLOWS.flatMap((flow) => POLICIES.map((policy) => [policy, flow] as const)))(
    'of a %s %s was not taken, also where a variant describes it, and is sent again later',
    async (policy, flow) => {
      const connector = movingConnector(describing(charges[policy]));
      const { host, requests } = answering([turnedAway('7'), made]);
      expect(await drive(movingRun(connector, 'run-1', flow), host)).toMatchObject({
        kind: 'interrupted',
        turnedAway: true,
        mayHaveMoved: false,
        retryAfterMs: 7000,
      });
      expect(await host.journal.load('run-1')).toMatchObject([{ state: 'not-sent' }]);
      expect(await drive(movingRun(connector, 'run-1', flow), host)).toMatchObject({ outcome: settled('c1', five) });
      expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
    },
  );

  test('of a credential is sent again as late as the provider asks, and nothing was taken', async () => {
    const tokens = [turnedAway('7'), json(200, { token: 't' })];
    const { host, requests } = hostOf((request) =>
      pathOf(request) === '/v1/token' ? (tokens.shift() ?? json(500, {})) : made,
    );
    const run = runOf(chargeConnector('keyed'));
    expect(await drive(run, host)).toMatchObject({ kind: 'interrupted', mayHaveMoved: false, retryAfterMs: 7000 });
    expect(requests).toHaveLength(1);
    expect(await drive(run, host)).toMatchObject({ outcome: settled('c1', five) });
  });

  test('without Retry-After says no time', async () => {
    const { drive: driving } = answering([json(429, {})]);
    const result = await driving(chargeConnector('keyed'));
    expect(result).toMatchObject({ kind: 'interrupted', turnedAway: true });
    expect(result).not.toHaveProperty('retryAfterMs');
  });

  test.each(['keyed', 'by-reference'] as const)('when it is a repeat (%s) stays in doubt', async (policy) => {
    const { drive: driving, journal } = answering([LOST, turnedAway('7'), made]);
    await driving(chargeConnector(policy));
    const result = await driving(chargeConnector(policy));
    expect(result).toMatchObject({ kind: 'interrupted', mayHaveMoved: true, retryAfterMs: 7000 });
    expect(result).not.toHaveProperty('turnedAway');
    expect(await journal.load('run-1')).toMatchObject([{ state: 'begun', sends: 2 }]);
    expect(await driving(chargeConnector(policy))).toMatchObject({ outcome: settled('c1', five) });
  });

  test('after another step leaves that step as it is', async () => {
    const rail = (name: string) =>
      endpoint({
        name,
        method: 'POST',
        path: `/${name}`,
        repeat: 'once',
        request: () => ({ json: {} }),
        reply: z.object({ id: z.string() }),
      });
    const [first, second] = [rail('first'), rail('second')];
    const connector = connectorOf(
      function* (): Steps<Outcome> {
        yield* call(first, undefined);
        return settled((yield* call(second, undefined)).id, five);
      },
      [first, second],
    );
    const { drive: driving } = answering([json(200, { id: 'o1' }), turnedAway('7'), json(200, { id: 'o2' })]);
    expect(await driving(connector)).toMatchObject({ kind: 'interrupted', turnedAway: true, mayHaveMoved: true });
    expect(await driving(connector)).toMatchObject({ outcome: settled('o2', five) });
  });

  test('is given to a flow whose endpoint quotes the provider on it', async () => {
    const resend = endpoint({
      name: 'resend',
      method: 'POST',
      path: '/resend',
      repeat: 'keyed',
      request: () => ({ json: {} }),
      replies: {
        sent: { status: 200, body: z.object({}) },
        soon: { status: 429, refuses: { says: 'A code was sent less than a minute ago.' }, body: z.object({}) },
      },
    });
    const connector = connectorOf(
      function* (): Steps<Outcome> {
        return settled((yield* call(resend, undefined)).reply, five);
      },
      [resend],
    );
    expect(await answering([json(429, {})]).drive(connector)).toMatchObject({ outcome: settled('soon', five) });
  });
});

describe('Retry-After', () => {
  test.each([
    ['503', 'once', { kind: 'done', outcome: { status: 'unknown' }, retryAfterMs: 30_000 }],
    ['503', 'keyed', { kind: 'interrupted', mayHaveMoved: true, retryAfterMs: 30_000 }],
  ] as const)('of a %s is told, and its %s request may have acted', async (status, policy, expected) => {
    const reply = { ...json(Number(status), {}), headers: { 'retry-after': '30' } };
    const result = await answering([reply]).drive(chargeConnector(policy));
    expect(result).toMatchObject(expected);
    expect(result).not.toHaveProperty('turnedAway');
  });

  test('of a lookup is told with the doubt that it leaves', async () => {
    const { drive: driving } = hostOf(({ method, url }) => {
      if (url.endsWith('/token')) return json(200, { token: 't' });
      return method === 'GET' ? turnedAway('90') : LOST;
    });
    await driving(chargeConnector('by-reference'));
    const result = await driving(chargeConnector('by-reference'));
    expect(result).toMatchObject({ kind: 'interrupted', mayHaveMoved: true, retryAfterMs: 90_000 });
    expect(result).not.toHaveProperty('turnedAway');
  });

  test('is an hour at most', async () => {
    expect(await answering([turnedAway('86400')]).drive(chargeConnector('keyed'))).toMatchObject({
      retryAfterMs: 3_600_000,
    });
  });
});
