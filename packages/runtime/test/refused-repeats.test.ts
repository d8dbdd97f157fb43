import { call, declined, type Outcome, pending, settled, type Steps } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { drive, memoryJournal } from '../src/index.ts';
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
  runOf,
} from './support/sample.ts';

const LOST = { kind: 'lost', why: 'No complete reply in time.' } as const;
const NOT_SENT = { kind: 'not-sent', why: 'refused' } as const;
type Answer = ReturnType<typeof json> | typeof LOST | typeof NOT_SENT;

/** Answers moving requests from a list; its lookup lags, so it knows nothing yet. */
function lagging(answers: readonly Answer[], journal = memoryJournal()) {
  let next = 0;
  return hostOf((request) => {
    if (pathOf(request) === '/v1/token') return json(200, { token: 't' });
    if (request.method === 'GET') return json(200, { charges: [] });
    const answer = answers[(next += 1) - 1];
    if (answer === undefined) throw new Error(`The provider was asked ${next} times.`);
    return answer;
  }, journal);
}

const USED = json(402, { code: 'reference_already_used' });
const isUnknown = { kind: 'done', outcome: { status: 'unknown' } };
const isDeclined = { kind: 'done', outcome: { status: 'declined' } };

describe.each(['keyed', 'by-reference'] as const)('a %s request that may have arrived', (policy) => {
  test('and whose repeat is refused leaves the payment unknown', async () => {
    const { drive, journal } = lagging([LOST, USED]);
    await drive(chargeConnector(policy));
    const refused = await drive(chargeConnector(policy));
    expect(refused).toMatchObject(isUnknown);
    expect(await journal.load('run-1')).toMatchObject([{ step: 'charge', state: 'begun', sends: 2 }]);
  });

  test('before the process died is not declined by the refusal of its repeat', async () => {
    const journal = memoryJournal();
    await journal.begin('run-1', 'charge', 'call');
    const { drive } = lagging([USED], memoryJournal(journal.text()));
    expect(await drive(chargeConnector(policy))).toMatchObject(isUnknown);
  });

  test.each([
    ['401', json(401, {})],
    ['404', json(404, { error: 'not found' })],
    ['409 "idempotency key in use"', json(409, { error: 'idempotency key in use' })],
    ['422 that is not described', json(422, { error: 'reference already used' })],
  ])('and whose repeat is answered with %s stays in doubt however often it is tried', async (_what, answer) => {
    const { drive } = lagging([LOST, ...Array.from({ length: 12 }, () => answer)]);
    await drive(chargeConnector(policy));
    for (let again = 0; again < 6; again += 1)
      expect(await drive(chargeConnector(policy))).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
  });

  test('and whose repeat is taken is settled', async () => {
    const { drive } = lagging([LOST, json(201, { id: 'c1' })]);
    await drive(chargeConnector(policy));
    expect(await drive(chargeConnector(policy))).toEqual({ kind: 'done', outcome: settled('c1', five) });
  });

  test('and whose repeat is refused after another was taken and lost stays unknown', async () => {
    const { drive } = lagging([LOST, LOST, USED]);
    await drive(chargeConnector(policy));
    await drive(chargeConnector(policy));
    expect(await drive(chargeConnector(policy))).toMatchObject(isUnknown);
  });
});

describe('a 401 that an endpoint describes as a refusal', () => {
  const described = endpoint({
    name: 'charge',
    method: 'POST',
    path: '/charges',
    repeat: 'keyed',
    request: () => ({ json: {} }),
    replies: {
      made: { status: 201, body: z.object({ id: z.string() }) },
      refused: { status: [401, 402], body: z.object({ code: z.string() }) },
    },
  });
  const connector = connectorOf(
    function* () {
      const answer = yield* call(described, undefined);
      return answer.reply === 'made'
        ? settled(answer.body.id, five)
        : declined('hard', 'declined_by_provider', { reason: answer.body.code });
    },
    [described],
  );

  test('and answers a repeat is tried again, and never declines', async () => {
    const { drive } = lagging([LOST, json(401, { code: 'expired' }), json(201, { id: 'c1' })]);
    await drive(connector);
    expect(await drive(connector)).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(await drive(connector)).toMatchObject({ outcome: { status: 'settled' } });
  });

  test('and answers the only send declines nothing either, and the refusal of the next send neither', async () => {
    const { drive } = lagging([json(401, { code: 'expired' }), USED]);
    expect(await drive(connector)).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(await drive(connector)).toMatchObject(isUnknown);
  });
});

describe('a refusal counts', () => {
  test('as the answer to the only send', async () => {
    const { drive } = lagging([USED]);
    expect(await drive(chargeConnector('keyed'))).toMatchObject(isDeclined);
    expect(await drive(chargeConnector('keyed'))).toMatchObject(isDeclined);
  });

  test('after sends that provably never left, also once the process was restarted', async () => {
    const { drive: driving, journal } = lagging([NOT_SENT, NOT_SENT, USED]);
    await driving(chargeConnector('keyed'));
    await driving(chargeConnector('keyed'));
    expect(await driving(chargeConnector('keyed'))).toMatchObject(isDeclined);
    const { drive: again } = lagging([], memoryJournal(journal.text()));
    expect(await again(chargeConnector('keyed'))).toMatchObject(isDeclined);
  });

  test('of a request that changes nothing, however often it is sent', async () => {
    const { drive } = lagging([json(401, {}), LOST, USED]);
    await drive(chargeConnector('safe'));
    expect(await drive(chargeConnector('safe'))).toMatchObject(isDeclined);
  });

  test('where the lookup found it', async () => {
    const charge = endpoint({
      name: 'charge',
      method: 'POST',
      path: '/charges',
      repeat: 'by-reference',
      request: () => ({ json: {} }),
      find: {
        endpoint: charges.safe,
        input: () => 't',
        read: (found) => ({ found: found.reply }),
      },
      reply: z.string(),
    });
    const connector = connectorOf(
      function* () {
        const found = yield* call(charge, undefined);
        return found === 'made' ? settled('c1', five) : declined('hard', 'declined_by_provider', { reason: found });
      },
      [charge, { ...charges.safe, name: 'look' }],
    );
    const { drive } = lagging([LOST, USED]);
    await drive(connector);
    expect(await drive(connector)).toMatchObject(isDeclined);
  });
});

/** A reply that says by its body how it stands, as many providers do. */
const ordered = (name: string) =>
  endpoint({
    name,
    method: 'POST',
    path: `/${name}`,
    repeat: 'keyed',
    request: () => ({ json: {} }),
    reply: z.object({ id: z.string(), status: z.string() }),
  });
const order = ordered('order');
const confirm = ordered('confirm');
const said = (id: string, status: string) => json(200, { id, status });

function* outcomeOf({ id, status }: { id: string; status: string }): Steps<Outcome> {
  yield* [];
  if (status === 'PAID') return settled(id, five, { connectorState: { agreement: id } });
  if (status === 'OPEN') return pending(id);
  return declined('soft', 'declined_by_provider', {
    reason: 'Refused.',
    providerReference: id,
    provider: { code: '51' },
    connectorState: { agreement: id },
  });
}

describe('a decline in the body of a success', () => {
  const connector = connectorOf(
    function* () {
      return yield* outcomeOf(yield* call(order, undefined));
    },
    [order],
  );

  test('is no answer of a repeat: its reference may be another payment’s, and only the provider’s word is kept', async () => {
    const { drive: driving, journal } = lagging([LOST, said('o2', 'FAILED')]);
    await driving(connector);
    const unknown = await driving(connector);
    expect(unknown).toEqual({
      kind: 'done',
      outcome: { status: 'unknown', why: expect.stringContaining('order'), provider: { code: '51' } },
    });
    const { drive: again } = lagging([], memoryJournal(journal.text()));
    expect(await again(connector)).toEqual(unknown);
  });

  test.each([
    ['PAID', 'settled'],
    ['OPEN', 'pending'],
  ])('is not seen in %s', async (word, status) => {
    const { drive } = lagging([LOST, said('o1', word)]);
    await drive(connector);
    expect(await drive(connector)).toMatchObject({ outcome: { status, providerReference: 'o1' } });
  });
});

describe('of two steps', () => {
  const connector = connectorOf(
    function* () {
      const { status } = yield* call(order, undefined);
      if (status === 'FAILED') return declined('hard', 'declined_by_provider', { reason: 'Refused.' });
      return yield* outcomeOf(yield* call(confirm, undefined));
    },
    [order, confirm],
  );

  test('the second declines what the first took when it was sent again', async () => {
    const { drive } = lagging([LOST, said('o1', 'OPEN'), said('o1', 'FAILED')]);
    await drive(connector);
    expect(await drive(connector)).toMatchObject(isDeclined);
  });

  test('the second does not decline when it was sent again itself', async () => {
    const { drive } = lagging([said('o1', 'OPEN'), LOST, said('o1', 'FAILED')]);
    await drive(connector);
    expect(await drive(connector)).toMatchObject(isUnknown);
  });
});

describe('a reply that refuses by its body', () => {
  const rail = (name: string) =>
    endpoint({
      name,
      method: 'POST',
      path: `/${name}`,
      repeat: 'keyed',
      request: () => ({ json: {} }),
      replies: {
        made: { status: 200, where: { ok: true }, body: z.object({ id: z.string() }) },
        refused: { status: 200, where: { ok: false }, refuses: { says: 'ok is false' }, body: z.object({}) },
        known: { status: 409, refuses: false, body: z.object({ id: z.string() }) },
      },
    });
  const first = rail('first');
  const second = rail('second');
  /** Tries another rail where the first one refuses. */
  const connector = connectorOf(
    function* () {
      const made = yield* call(first, undefined);
      if (made.reply !== 'refused') return settled(made.body.id, five);
      const other = yield* call(second, undefined);
      return other.reply === 'refused'
        ? declined('hard', 'declined_by_provider', { reason: 'Refused.' })
        : settled(other.body.id, five);
    },
    [first, second],
  );

  test('to a repeat does not lead the flow to another charge', async () => {
    const { drive, requests } = lagging([LOST, json(200, { ok: false }), json(200, { ok: true, id: 'twice' })]);
    await drive(connector);
    expect(await drive(connector)).toMatchObject(isUnknown);
    expect(requests.map(pathOf)).toEqual(['/v1/first', '/v1/first']);
  });

  test('to the only send leads it there', async () => {
    const { drive } = lagging([json(200, { ok: false }), json(200, { ok: true, id: 'r2' })]);
    expect(await drive(connector)).toMatchObject({ outcome: { status: 'settled', providerReference: 'r2' } });
  });

  test('is none where the endpoint declares that a 409 names what was made before', async () => {
    const { drive } = lagging([LOST, json(409, { id: 'r1' })]);
    await drive(connector);
    expect(await drive(connector)).toMatchObject({ outcome: { status: 'settled', providerReference: 'r1' } });
  });
});

const moving = movingConnector(charges.keyed);

test.each(MOVING_FLOWS)(
  'a %s whose repeat is refused is unknown, and whose only send is refused is declined',
  async (flow) => {
    const { host } = lagging([LOST, USED, USED]);
    await drive(movingRun(moving, 'lost', flow), host);
    expect(await drive(movingRun(moving, 'lost', flow), host)).toMatchObject(isUnknown);
    expect(await drive(movingRun(moving, 'told', flow), host)).toMatchObject(isDeclined);
  },
);

/** A provider that charged, and answered that the token is not valid any more. */
const EXPIRED = json(401, { error: 'token expired' });

describe.each(['keyed', 'by-reference'] as const)('a 401 of a %s request', (policy) => {
  test.each(MOVING_FLOWS)('leaves a %s in doubt: the refusal of its next send is no decline', async (flow) => {
    const connector = movingConnector(charges[policy]);
    const { host, journal } = lagging([EXPIRED, USED]);
    const first = await drive(movingRun(connector, 'run-1', flow), host);
    expect(first).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(await journal.load('run-1')).toMatchObject([{ step: 'charge', state: 'begun', sends: 1 }]);
    expect(await drive(movingRun(connector, 'run-1', flow), host)).toMatchObject(isUnknown);
  });

  test('whose next send is taken with a new token is settled', async () => {
    const { drive: driving, requests } = lagging([EXPIRED, json(201, { id: 'c1' })]);
    expect(await driving(chargeConnector(policy))).toEqual({ kind: 'done', outcome: settled('c1', five) });
    expect(requests.filter((each) => pathOf(each) === '/v1/token')).toHaveLength(2);
  });

  test('before the process died is remembered', async () => {
    const { drive: driving, journal } = lagging([EXPIRED, LOST]);
    await driving(chargeConnector(policy));
    const { drive: again } = lagging([USED], memoryJournal(journal.text()));
    expect(await again(chargeConnector(policy))).toMatchObject(isUnknown);
  });
});

describe('a 401 of a request that is never sent again', () => {
  test.each(MOVING_FLOWS)('leaves a %s unknown: a second send could move the money twice', async (flow) => {
    const { host, requests } = lagging([EXPIRED]);
    const run = movingRun(movingConnector(charges.once), 'run-1', flow);
    await drive(run, host);
    expect(await drive(run, host)).toMatchObject(isUnknown);
    expect(requests).toHaveLength(1);
  });

  test('still drops the token, so that the next payment gets a new one', async () => {
    const { host, requests } = lagging([EXPIRED, json(201, { id: 'c1' })]);
    const connector = chargeConnector('once');
    expect(await drive(runOf(connector, 'run-1'), host)).toMatchObject(isUnknown);
    expect(await drive(runOf(connector, 'run-2'), host)).toMatchObject({ outcome: { status: 'settled' } });
    expect(requests.map(pathOf)).toEqual(['/v1/token', '/v1/charges', '/v1/token', '/v1/charges']);
  });
});
