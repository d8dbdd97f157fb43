import { openAsBlob } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { kyselyOver, migrate, openDatabase } from '../../src/storage/database/open.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { databaseFolder } from './database-folder.ts';
import { makeJobTables } from './job-tables.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What the tests of this project keep their data in. */
    engine: 'embedded' | 'server';
    /** A tar file of an empty database with all migrations. */
    databaseTemplate: string;
    /** A directory with the same database and the tables of the job library. */
    databaseFolder: string;
  }
}

/** Making a database takes seconds, copying one a third of a second: it is made once for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await databaseFolder('template');
  const pglite = await PGlite.create();
  const db = kyselyOver(pglite);
  await migrate(db, migrations);
  const dump = await pglite.dumpDataDir('none');
  const file = join(folder, 'database.tar');
  await writeFile(file, dump.stream());
  await db.destroy();
  const dataDir = join(folder, 'database');
  await (await PGlite.create({ dataDir, loadDataDir: await openAsBlob(file) })).close();
  const database = await openDatabase({ dataDir: folder });
  await makeJobTables(database.jobs);
  await database.close();
  project.provide('databaseFolder', dataDir);
  project.provide('databaseTemplate', file);
  project.provide('engine', 'embedded');
  return () => rm(folder, { recursive: true });
}
