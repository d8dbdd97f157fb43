import type { KyselyPlugin } from 'kysely';
import type { Transport } from '@railyard/runtime';
import { runsUnderWay } from '../../src/payments/runs/deps.ts';
import { createBreakers } from '../../src/payments/runs/breakers.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { storesOf } from '../../src/storage/index.ts';

class DeadError extends Error {
  override readonly name = 'DeadError';
  constructor() {
    super('The process is dead.');
  }
}

/**
 * A process beside that of `alive` which dies at one of its points: before a statement or a provider call is sent, or after it is done and before
 * the process learns that. From then on nothing of it reaches the database or a provider; an open transaction is undone.
 *
 * @param at the points that it lives through
 */
export function dyingProcess(alive: ServiceDeps, at: number) {
  let lived = 0;
  let dead = false;
  const live = (): void => {
    dead ||= lived === at;
    if (dead) throw new DeadError();
    lived += 1;
  };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      live();
      return node;
    },
    async transformResult({ result }) {
      live();
      return result;
    },
  };
  const transport: Transport = {
    async send(request) {
      live();
      const result = await alive.transport.send(request);
      live();
      return result;
    },
  };
  const db = alive.db.withPlugin(plugin);
  const context: ServiceDeps = {
    ...alive,
    db,
    stores: storesOf(db, alive.sqlClock),
    transport,
    breakers: createBreakers(transport, { monotonic: alive.monotonic, log: alive.log }),
    owner: alive.newId(),
    underWay: runsUnderWay(alive.now),
  };
  return {
    context,
    isDead: () => dead,
    /** @returns once the work is done or the process is dead */
    async do(work: (context: ServiceDeps) => Promise<unknown>): Promise<void> {
      await work(context).catch((error: unknown) => {
        if (!dead) throw error;
      });
    },
  };
}
