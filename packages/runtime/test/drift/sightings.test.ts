import { call, type Connector, type Outcome, type ProviderEvent, statusTable, type Steps } from '@railyard/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { drive, reportNotified, type Sighting } from '../../src/index.ts';
import { endpoint, five, hostOf, json, connectorOf, runOf } from '../support/sample.ts';

const statuses = statusTable({ PAID: 'settled', OPEN: 'pending' });

const charge = endpoint({
  name: 'charge',
  method: 'POST',
  path: '/charges',
  repeat: 'keyed',
  request: () => ({ json: {} }),
  replies: {
    made: {
      status: 201,
      body: z.object({
        id: z.string(),
        status: z.string(),
        fee: z.string().optional(),
        lines: z.array(z.strictObject({ n: z.number() })).optional(),
      }),
    },
    refused: { status: 402, body: z.object({ code: z.string() }) },
  },
});

const connector: Connector = {
  ...connectorOf(
    function* (): Steps<Outcome> {
      const made = yield* call(charge, undefined);
      const word = made.reply === 'made' ? made.body.status : 'none';
      return statuses.read({ word, providerReference: 'r', amount: five });
    },
    [charge],
    '2.1.0',
  ),
  statuses,
};

async function seenIn(status: number, body: unknown) {
  const seen: Sighting[] = [];
  const { host } = hostOf(() => (typeof body === 'string' ? { status, body } : json(status, body)));
  const result = await drive(runOf(connector), { ...host, drift: (sighting) => seen.push(sighting) });
  for (const each of seen) expect(each).toMatchObject({ connector: 'sample', version: '2.1.0', endpoint: 'charge' });
  const lines = seen.map(({ kind, reply, status: code, place, form }) => [kind, reply, code, place, form].join(' '));
  return { result, lines };
}

test('a reply is counted with what it has beside its schema and what it lacks', async () => {
  const { lines } = await seenIn(201, { id: '1', status: 'PAID', risk: { score: 3 } });
  expect(lines).toEqual([
    'reply made 0  ',
    'unnamed-field made 0 risk object',
    'missing-optional made 0 fee ',
    'missing-optional made 0 lines ',
  ]);
});

test('a word that the table does not have is counted with the endpoint that answered it', async () => {
  const { lines, result } = await seenIn(201, { id: '1', status: 'IN_REVIEW', fee: '', lines: [] });
  expect(lines).toEqual(['reply made 0  ', 'status-word  0 IN_REVIEW ']);
  expect(result).toMatchObject({ kind: 'done', outcome: { status: 'unknown' } });
});

test('a word that may be data is counted without it', async () => {
  const { lines } = await seenIn(201, { id: '1', status: '4111111111111111', fee: '', lines: [] });
  expect(lines.at(-1)).toBe('status-word  0 {key} ');
});

test('a status that is not declared is an error shape: names and kinds of its fields', async () => {
  const { lines } = await seenIn(503, { message: 'secret', code: 7, '4111111111111111': 'x' });
  expect(lines).toEqual(['error-shape  503 code,message,{key} number,string,string']);
  expect((await seenIn(502, '<html>')).lines).toEqual(['error-shape  502  ']);
});

test('a reply that its schema refuses is an error shape, and what does not fit is named', async () => {
  const { lines } = await seenIn(201, { status: 7, lines: [{ n: 1, unit: 'kg', 'a@example.com': 1 }] });
  expect(lines).toEqual([
    'error-shape made 201 lines,status array,number',
    'missing-required made 201 id ',
    'other-form made 201 status number',
    'unnamed-field made 201 lines[].unit string',
    'unnamed-field made 201 lines[].{key} number',
  ]);
});

test('a counter that fails changes nothing of a payment', async () => {
  const { host } = hostOf(() => json(201, { id: '1', status: 'PAID' }));
  const broken = () => {
    throw new Error('no room');
  };
  const result = await drive(runOf(connector), { ...host, drift: broken });
  expect(result).toMatchObject({ kind: 'done', outcome: { status: 'settled' } });
});

test('words of a proven notification are counted as such', () => {
  const seen: Sighting[] = [];
  const events: readonly ProviderEvent[] = ['PAID', 'ON_HOLD'].flatMap((word) =>
    statuses.events(`e-${word}`, undefined, { word, providerReference: 'r', amount: five }),
  );
  reportNotified({ drift: (sighting) => seen.push(sighting) }, connector, events);
  expect(seen).toMatchObject([{ endpoint: '{notification}', kind: 'status-word', place: 'ON_HOLD', version: '2.1.0' }]);
});
