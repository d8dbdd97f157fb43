import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { databaseFolder } from './database-folder.ts';
import { serverDatabase } from './server-database.ts';

/** Where a service keeps its data, as its configuration says it. */
export interface Place {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** A server has none of its own. */
  readonly encryptionKey?: string;
}

export interface DataDir {
  readonly path: string;
  readonly place: Place;
  remove(): Promise<void>;
}

/** A data directory with an empty migrated database: in it, or on the server in the project `checkout-server`. */
export async function newDataDir(): Promise<DataDir> {
  const path = await databaseFolder('service');
  if (inject('engine') === 'server') {
    const database = await serverDatabase();
    const remove = async () => {
      await database.remove();
      await rm(path, { recursive: true });
    };
    const encryptionKey = randomBytes(32).toString('base64');
    return { path, place: { dataDir: path, databaseUrl: database.url, encryptionKey }, remove };
  }
  // Making a database takes seconds, copying the files of one a fraction of a second.
  cpSync(inject('databaseFolder'), join(path, 'database'), { recursive: true });
  return { path, place: { dataDir: path }, remove: () => rm(path, { recursive: true }) };
}
