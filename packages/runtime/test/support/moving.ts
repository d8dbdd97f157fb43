import { call, type Connector, declined, defineConnector, defineMethod, settled, statusTable } from '@railyard/core';
import type { Outcome, Steps } from '@railyard/core';
import { z } from 'zod';
import type { FlowName, Run } from '../../src/index.ts';
import { type charges, find, five, type Policy, runOf, settings } from './sample.ts';

/** The flows that move money. */
export const MOVING_FLOWS = [
  'purchase',
  'debit',
  'credit',
  'transfer',
  'capture',
  'refund',
  'void',
  'recurring',
] as const satisfies readonly FlowName[];

const operation = { parameters: z.strictObject({}), completion: [] } as const;
const everything = defineMethod({
  key: 'everything',
  title: 'Everything',
  operations: { purchase: operation, debit: operation, credit: operation, transfer: operation },
});

/** A connector each of whose flows is one call. */
export function movingConnector(charge: (typeof charges)[Policy]): Connector {
  function* move(): Steps<Outcome> {
    const made = yield* call(charge, 't');
    return made.reply === 'made'
      ? settled(made.body.id, five)
      : declined('soft', 'declined_by_provider', { reason: made.body.code });
  }
  const inParts = { partial: true, flow: move };
  return defineConnector({
    id: 'sample',
    contract: 1,
    version: '1.0.0',
    title: 'Sample',
    settings,
    baseUrl: (each) => each.base_url,
    endpoints: [charge, find],
    statuses: statusTable({}),
    serves: (serve) => [
      serve(everything, {
        purchase: move,
        debit: move,
        credit: move,
        transfer: move,
        capture: inParts,
        refund: inParts,
        void: move,
        recurring: move,
      }),
    ],
  });
}

export const movingRun = (connector: Connector, id: string, flow: FlowName): Run => ({
  ...runOf(connector, id),
  method: everything,
  flow,
});
