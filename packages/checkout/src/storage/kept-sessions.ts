import { Client, type ClientConfig } from 'pg';
import { DatabaseUnavailableError, failureOf } from './database/failure.ts';

/** A pooler stands between the service and the server, and gives each transaction another connection. */
export class SharedSessionsError extends Error {
  override readonly name = 'SharedSessionsError';

  constructor() {
    super(
      'The database address leads to a connection pooler that does not keep sessions (PgBouncer: pool_mode = transaction or statement). ' +
        'Railyard needs them for LISTEN and prepared statements. Set pool_mode = session, or give the address of the PostgreSQL server itself.',
    );
  }
}

/** Other clients of a pooler may be given a connection between two questions, so that once tells nothing. */
const ROUNDS = 10;

/**
 * Asks in turn over two connections which process of the server answers (PostgreSQL: `pg_backend_pid`). A server that keeps sessions has one for
 * each, and always the same.
 *
 * @throws SharedSessionsError where the connections change their processes, or share one
 * @throws DatabaseUnavailableError if the server cannot be reached
 */
export async function requireKeptSessions(config: ClientConfig): Promise<void> {
  const clients = [new Client(config), new Client(config)];
  // A connection that breaks fails its question.
  for (const client of clients) client.on('error', () => undefined);
  try {
    await Promise.all(clients.map((client) => client.connect())).catch((error: unknown) => {
      throw new DatabaseUnavailableError('none', error);
    });
    const answers = clients.map(() => new Set<number>());
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, client] of clients.entries()) answers[at]?.add(await backendOf(client));
    const all = new Set(answers.flatMap((each) => [...each]));
    if (answers.some(({ size }) => size !== 1) || all.size !== clients.length) throw new SharedSessionsError();
  } catch (error) {
    throw failureOf(error);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const [row] = rows;
  if (row === undefined) throw new Error('The server does not say which of its processes answers.');
  return row.pid;
}
