import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { TEMPLATE } from './server-template.ts';

export interface ServerDatabase {
  /** For `databaseUrl` of a configuration, or `openDatabase({ url })`. */
  readonly url: string;
  /** Ends whatever is still connected. */
  remove(): Promise<void>;
}

async function asAdmin(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('server').adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * A new database on the server of this run. Only in the projects whose engine is `server`.
 *
 * @param template `template0`: without any table
 * @example const database = await serverDatabase(); // startCheckout({ ..., databaseUrl: database.url })
 */
export async function serverDatabase(template: typeof TEMPLATE | 'template0' = TEMPLATE): Promise<ServerDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(inject('server').adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, remove: () => asAdmin(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** A server of its own for a test that stops and starts it. It has the empty database `postgres`. */
export const privateServer = (): Promise<PostgresServer> => startPostgres(inject('server').programs);
