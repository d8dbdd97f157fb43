import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/storage/index.ts';
import { makeJobTables } from './job-tables.ts';
import { startPostgres } from './postgres-server.ts';
import { copyServerPrograms } from './server-programs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of this run, where the engine is `server`: its programs, and the address of its maintenance database. */
    server: { readonly programs: string; readonly adminUrl: string };
    /** How far transactions on that server are kept apart unless they say otherwise. */
    isolation: 'read committed' | 'repeatable read' | 'serializable' | undefined;
  }
}

/** The name of the database that each test's own is copied from. */
export const TEMPLATE = 'migrated';

/** One PostgreSQL server for all test files of the project, with an empty migrated database to copy; the tables of the job library are made. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const programs = copyServerPrograms();
  const { isolation = 'read committed' } = project.config.provide;
  const server = await startPostgres(programs, undefined, { default_transaction_isolation: isolation });
  const admin = new Client({ connectionString: server.url('postgres') });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  // The job library's first work meets itself, which stricter servers refuse. No copy of the database has this setting.
  await admin.query(`ALTER DATABASE ${TEMPLATE} SET default_transaction_isolation TO 'read committed'`);
  await admin.end();
  const template = await openDatabase({ url: server.url(TEMPLATE) });
  await makeJobTables(template.jobs);
  await template.close();
  project.provide('engine', 'server');
  project.provide('server', { programs, adminUrl: server.url('postgres') });
  return async () => {
    await server.remove();
    await rm(programs, { recursive: true });
  };
}
