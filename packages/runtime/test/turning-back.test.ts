import { call, collect, settled, type Steps, visit } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { drive } from '../src/index.ts';
import { charges, connectorOf, find, five, hostOf, json, runOf } from './support/sample.ts';

const fields = z.strictObject({ code: z.string() });
const bank = {
  purpose: 'pay',
  url: 'https://bank.example/',
  reference: 'r-1',
  until: z.object({ ok: z.string() }),
} as const;
const host = () =>
  hostOf(({ method }) => (method === 'GET' ? json(200, { charges: [] }) : json(201, { id: 'c-1' }))).host;

/** Whether the payer may turn back at the turn that the flow stops at. */
async function mayTurnBack(flow: () => Steps<unknown>, endpoints: Parameters<typeof connectorOf>[1]) {
  const connector = connectorOf(function* () {
    yield* flow();
    return settled('c-1', five);
  }, endpoints);
  const result = await drive(runOf(connector), host());
  return result.kind === 'suspended' ? result.nextAction.mayTurnBack : result.kind;
}

describe('a payer may turn back', () => {
  test.each([
    ['from a question', () => collect({ fields })],
    ['from a visit', () => visit(bank)],
  ] as const)('%s before anything was sent', async (_name, turn) => {
    expect(await mayTurnBack(turn, [])).toBe(true);
  });

  test('after a request that moves nothing', async () => {
    const flow = function* () {
      yield* call(find, 'bearer');
      yield* collect({ fields });
    };
    expect(await mayTurnBack(flow, [find])).toBe(true);
  });

  test.each([
    ['not from a question', () => collect({ fields }), false],
    ['not from a visit', () => visit(bank), false],
    ['from a question of which the connector says so', () => collect({ fields, mayTurnBack: true }), true],
    ['from a visit of which the connector says so', () => visit({ ...bank, mayTurnBack: true }), true],
  ] as const)('%s after a request that may move money', async (_name, turn, may) => {
    const flow = function* () {
      yield* call(charges.keyed, 'bearer');
      yield* turn();
    };
    expect(await mayTurnBack(flow, [charges.keyed])).toBe(may);
  });
});
