import type { PaymentFacts } from '@railyard/core';
import { sql } from 'kysely';
import type { Selectable } from './schema/columns.ts';
import * as z from 'zod';
import { claimPolls } from './claim-polls.ts';
import { fromJsonText } from './json-text.ts';
import type { Db } from './db.ts';
import type { StoredMoney } from './payment.ts';
import type { ModificationsTable } from './schema/modifications.ts';
import { milliseconds } from './sql-clock.ts';
import type { SqlClock } from './sql-clock.ts';

type Row = Selectable<ModificationsTable>;

/** A capture, void, release or refund as it stands. */
export type Modification = Omit<Row, 'amountText' | 'amountMinor' | 'currency' | 'factsText'> & {
  readonly amount: StoredMoney;
  /** The facts that the provider has reported of a refund. */
  readonly facts: PaymentFacts;
};

const factsSchema = z.record(z.string(), z.string());

function modificationOf({ amountText, amountMinor, currency, factsText, ...rest }: Row): Modification {
  const facts = factsSchema.parse(fromJsonText(factsText));
  return { ...rest, facts, amount: { text: amountText, minor: BigInt(amountMinor), currency } };
}

const OPEN = ['requested', 'pending', 'unknown'] as const;

/** Modifications on payments. They begin and change with their payment, by `paymentsStore.applyTransition`. */
export class ModificationsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
  }

  async find(id: string): Promise<Modification | undefined> {
    const row = await this.#db.selectFrom('modifications').selectAll().where('id', '=', id).executeTakeFirst();
    return row && modificationOf(row);
  }

  /** The modifications on a payment, oldest first. */
  async ofPayment(paymentId: string): Promise<Modification[]> {
    const rows = await this.#db
      .selectFrom('modifications')
      .selectAll()
      .where('paymentId', '=', paymentId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
    return rows.map(modificationOf);
  }

  /** Those of these modifications whose request is under way, or is to be sent again. */
  async running(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#db
      .selectFrom('flowRuns')
      .select('runId')
      .where('runId', 'in', [...ids])
      .where('state', '=', 'running')
      .execute();
    return new Set(rows.map(({ runId }) => runId));
  }

  /** Takes modifications whose provider is to be asked now, except those whose request is still under way, see `claimPolls`. */
  async claimDuePolls(limit: number, holdMs: number, exceptMids: readonly string[] = []): Promise<Modification[]> {
    const isRunning = sql`EXISTS (SELECT FROM flow_runs r WHERE r.run_id = t.id AND r.state = 'running')`;
    const polls = { table: 'modifications', isRunning, limit, holdMs, exceptMids } as const;
    return (await claimPolls<Row>(this.#db, this.#clock, polls)).map(modificationOf);
  }

  /** When the provider is asked about it next; `null`: not by itself any more. A modification that has ended is not asked about. */
  async schedulePoll(id: string, inMs: number | null): Promise<void> {
    const pollAt = inMs === null ? null : sql<Date>`${this.#clock()} + ${milliseconds(inMs)}`;
    await this.#db
      .updateTable('modifications')
      .set({ pollAt })
      .where('id', '=', id)
      .where('state', 'in', [...OPEN])
      .execute();
  }
}

export const modificationsStore = (db: Db, clock: SqlClock): ModificationsStore => new ModificationsStore(db, clock);
