import { signRequest } from '@railyard/core/protocol';
import type { Db } from '../../src/storage/index.ts';
import type { KillPoint } from './killed-service.ts';
import { merchant, post } from './service.ts';

/** How often a callback comes: one whose answer the service did not live to read comes again. */
export const timesTold = (points: readonly KillPoint[]) =>
  1 + points.filter((point) => point === 'after-commit').length;

export async function statusOf(serviceUrl: string, payment_id: string): Promise<unknown> {
  const hash = signRequest('status_by_payment', { payment_id }, merchant.password);
  const { json } = await post(`${serviceUrl}/api/v1/payment/status`, { merchant_key: merchant.key, payment_id, hash });
  return json;
}

/** What the database holds in the end. */
export async function historyOf(db: Db) {
  const events = await db.selectFrom('paymentEvents').select(['fromState', 'toState']).orderBy('version').execute();
  const runs = await db.selectFrom('flowRuns').select('state').execute();
  const callbacks = await db.selectFrom('callbacks').select('state').execute();
  return {
    final: events.filter(({ fromState, toState }) => toState === 'settled' && fromState !== 'settled').length,
    runs: runs.map(({ state }) => state),
    undelivered: callbacks.filter(({ state }) => state !== 'delivered').length,
  };
}

/** One payment, settled once and told, and a service that ended by itself and let its directory go. */
export const CLEAN = {
  ending: { code: 0, signal: null },
  found: { final: 1, runs: ['finished'], undelivered: 0 },
};
