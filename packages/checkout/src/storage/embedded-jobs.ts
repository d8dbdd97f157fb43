import type { Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { CompiledQuery } from 'kysely';
import type { ConstructorOptions, Db as JobsConnection } from 'pg-boss';
import type { Db } from './db.ts';

/** How the job library reaches the database: through a connection of ours, or through its own to a server. */
export type JobsDatabase = Pick<
  ConstructorOptions,
  'backend' | 'db' | 'connectionString' | 'max' | 'application_name'
> & {
  /** For the driver, which the library hands everything on to. */
  readonly keepAlive?: boolean;
  readonly stream?: () => Socket;
};

/**
 * The embedded database for the job library. Everything goes through kysely's one connection: a second way in would mix its statements
 * into our transactions and lose writes.
 */
export function embeddedJobs(pglite: PGlite, db: Db): JobsDatabase {
  const alone = db.withoutPlugins();
  const connection: JobsConnection = {
    executeSql: (text, values) =>
      alone.connection().execute(async (held) => {
        if (values !== undefined && values.length > 0) {
          const { rows } = await held.executeQuery(CompiledQuery.raw(text, values));
          return { rows: [...rows] };
        }
        return script(pglite, text);
      }),
    async listen(channel, onNotification, onReconnect) {
      const stop = await alone.connection().execute(() => pglite.listen(channel, onNotification));
      onReconnect();
      return { close: () => alone.connection().execute(() => stop()) };
    },
  };
  return { backend: 'pglite', db: connection };
}

/** Several statements, BEGIN and COMMIT among them, which only `exec` takes. One that fails must not leave its transaction open. */
async function script(pglite: PGlite, text: string): Promise<{ rows: unknown[] }> {
  try {
    const results = await pglite.exec(text);
    return { rows: results.flatMap((result) => result.rows) };
  } catch (error) {
    await pglite.exec('ROLLBACK');
    throw error;
  }
}
