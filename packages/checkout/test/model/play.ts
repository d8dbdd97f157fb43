import { openAsBlob } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, inject } from 'vitest';
import type { PaymentStateName } from '@railyard/core/payment';
import { kyselyOver } from '../../src/storage/database/open.ts';
import { emptyTables } from '../support/database.ts';
import { problemsOf } from './model-checks.ts';
import { comeToRest, happen, type Happening, type Known, NO_TROUBLE, type Trouble } from './model-operations.ts';
import { World } from './model-world.ts';

export type Story = readonly (readonly [Happening, Partial<Trouble>?])[];

/** How a story ended. */
export interface Ended {
  /** What is wrong then, in words; nothing where all is well. */
  readonly problems: readonly string[];
  readonly states: readonly PaymentStateName[];
}

/** Plays stories one after another on a database of this file. Call it at the top of a test file. */
export function storyteller(): (story: Story) => Promise<Ended> {
  let pglite: PGlite;
  beforeAll(async () => {
    pglite = await PGlite.create({ loadDataDir: await openAsBlob(inject('databaseTemplate')) });
  });
  afterAll(() => pglite.close());
  return async (story) => {
    await emptyTables(kyselyOver(pglite));
    const world = new World(pglite);
    const known: Known = { tokens: [], beside: new Set() };
    for (const [what, when] of story) await happen(world, known, what, { ...NO_TROUBLE, ...when });
    await comeToRest(world);
    const payments = await world.db.selectFrom('payments').select('state').orderBy('createdAt').orderBy('id').execute();
    return { problems: await problemsOf(world, known), states: payments.map(({ state }) => state) };
  };
}
