// Run by itself: inserts rows into the table of sessions, as fast as the engine takes them.
import { PGlite } from '@electric-sql/pglite';
import { createHash, randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import * as z from 'zod';
import { merchant, typicalSession } from '../typical.ts';
import { serveRequests } from './serve-requests.ts';

const requestSchema = z.object({
  /** An address of a server, or a directory of the embedded database. */
  database: z.object({ url: z.string() }).or(z.object({ directory: z.string() })),
  prefix: z.string(),
  count: z.int(),
  callers: z.int(),
});

const STATEMENT = `INSERT INTO sessions (id, merchant_key, operation, order_number, token_hash, request_text, hash_dialect, hash_digest,
    payer_presence, test, created_at, expires_at)
  VALUES ($1, $2, 'purchase', $3, $4, $5, 'ascii', 'md5', 'page', false, now(), now() + interval '1 hour')
  RETURNING created_at, expires_at`;

interface Engine {
  insert(values: readonly string[]): Promise<unknown>;
  close(): Promise<void>;
}

let open: { readonly name: string; readonly engine: Engine } | undefined;

serveRequests(
  async (request) => {
    const { database, prefix, count, callers } = requestSchema.parse(request);
    const name = JSON.stringify(database);
    if (open?.name !== name) {
      await open?.engine.close();
      open = { name, engine: await engineOf(database) };
    }
    return { seconds: await insertAll(open.engine, prefix, count, callers), failed: 0 };
  },
  async () => open?.engine.close(),
);

async function engineOf(database: z.output<typeof requestSchema>['database']): Promise<Engine> {
  if ('url' in database) {
    const pool = new Pool({ connectionString: database.url, max: 32 });
    return { insert: (values) => pool.query(STATEMENT, [...values]), close: () => pool.end() };
  }
  const pglite = await PGlite.create(database.directory);
  return { insert: (values) => pglite.query(STATEMENT, [...values]), close: () => pglite.close() };
}

async function insertAll({ insert }: Engine, prefix: string, count: number, callers: number): Promise<number> {
  const rows = Array.from({ length: count }, (_, at) => {
    const id = randomUUID();
    const number = `${prefix}-${at}`;
    const tokenHash = createHash('sha256').update(id).digest('hex');
    return [id, merchant.key, number, tokenHash, JSON.stringify(typicalSession(number))];
  });
  let next = 0;
  const caller = async () => {
    for (let row = rows[next++]; row !== undefined; row = rows[next++]) await insert(row);
  };
  const start = process.hrtime.bigint();
  await Promise.all(Array.from({ length: callers }, caller));
  return Number(process.hrtime.bigint() - start) / 1e9;
}
