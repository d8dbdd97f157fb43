import { CompiledQuery } from 'kysely';
import type { QueryResultRow } from 'pg';
import type { Db } from '../../src/storage/index.ts';

/** One connection to a database: a client of `pg`, or `connectionOf`. */
interface Connection {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<{ readonly rows: R[] }>;
}

/** @param db one connection of either engine */
export const connectionOf = (db: Db): Connection => ({
  query: async <R extends QueryResultRow>(text: string, values: unknown[] = []) =>
    db.executeQuery<R>(CompiledQuery.raw(text, values)),
});

/** The tables with rows of a payment, except for its duplicate window, which is over after seconds. */
const TABLES = [
  'sessions',
  'cards',
  'payments',
  'payment_references',
  'payment_events',
  'flow_runs',
  'journal',
  'modifications',
  'provider_notifications',
  'provider_events',
  'callbacks',
  'callback_attempts',
  'chains',
] as const;

/** Columns of text whose values belong to one payment. */
const OF_ONE: readonly string[] = ['order_number', 'provider_reference', 'event_id', 'callback_id'];

/** The value that a column has in the copy of a number. Ids stay the same wherever they stand, so that copied rows belong together. */
function copied(name: string, type: string, table: string): string {
  // They go on by the same schedule, and are looked at no earlier.
  if (table === 'chains' && (name === 'schedule_id' || name === 'poll_at')) return name;
  if (type === 'uuid') return `md5(${name}::text || copy)::uuid`;
  if (type.startsWith('timestamp')) return `${name} - copy * interval '1 second'`;
  if (name === 'token_hash') return `encode(sha256((${name} || copy)::bytea), 'hex')`;
  if (name === 'merchant_reference') return `md5(${name} || copy)`;
  const isOfOne = OF_ONE.includes(name) || (table === 'callbacks' && name === 'id');
  return isOfOne ? `${name} || '-' || copy` : name;
}

/**
 * Copies all rows of all payments so many times, each time under ids of its own and a second earlier. No trigger looks at what is written.
 *
 * @param client one connection to a database whose tables have rows of few payments
 */
export async function copyPayments(client: Connection, copies: number): Promise<void> {
  await client.query('SET session_replication_role = replica');
  for (const table of TABLES) {
    const { rows } = await client.query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER'`,
      [table],
    );
    const values = rows.map(({ name, type }) => copied(name, type, table));
    await client.query(
      `INSERT INTO ${table} (${rows.map(({ name }) => name).join(', ')})
        SELECT ${values.join(', ')} FROM ${table}, generate_series(1, $1::integer) AS copy`,
      [copies],
    );
    await client.query(`ANALYZE ${table}`);
  }
  await client.query('SET session_replication_role = origin');
  await client.query('CHECKPOINT');
}
