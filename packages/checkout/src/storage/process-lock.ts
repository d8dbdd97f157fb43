import { chmodSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Another process has the directory open, or this one has already. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

export interface ProcessLock {
  release(): void;
}

/** SQLite's code for a file that another connection has locked. */
const SQLITE_BUSY = 5;

/**
 * Takes the file at `path` for this process until it releases it or ends, however it ends. The lock is the operating system's, taken
 * through SQLite because Node has no call for it: it needs no pid, so processes in different containers on one volume see each other,
 * and it is free at once when its holder is gone.
 *
 * @throws DirectoryInUseError if it is held, by this process too
 */
export function takeProcessLock(path: string): ProcessLock {
  const file = open(path);
  try {
    file.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if (!isBusy(error))
      throw new Error(`The data directory cannot be locked (${path}): ${messageOf(error)}.`, { cause: error });
    throw new DirectoryInUseError(
      `The data directory is in use by another process (${path}). Two processes on one directory would destroy each other's data. ` +
        'Stop the other one, or choose another directory.',
    );
  }
  // The file exists from here on.
  chmodSync(path, 0o600);
  return { release: () => file.close() };
}

function open(path: string): DatabaseSync {
  // By its name at run time: a bundler that takes the prefix off looks for a package called sqlite.
  const { DatabaseSync: Connection } = process.getBuiltinModule('node:sqlite');
  return new Connection(path, { timeout: 0 });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
