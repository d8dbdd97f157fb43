import { chmodSync, statSync, truncateSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Another process has the directory open, or this one has already. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

export interface ProcessLock {
  release(): void;
}

/** SQLite's code for a file that another connection has locked, and for one that has another content. */
const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

/** Earlier versions wrote their pid into the file and touched it every ten seconds; what is silent for so long was killed. */
const SILENT_MS = 60_000;

/**
 * Takes the file at `path` for this process until it releases it or ends, however it ends. The lock is the operating system's, taken
 * through SQLite because Node has no call for it: it needs no pid, so processes in different containers on one volume see each other,
 * and it is free at once when its holder is gone.
 *
 * @throws DirectoryInUseError if it is held, by this process too
 */
export function takeProcessLock(path: string): ProcessLock {
  const file = locked(path) ?? lockedAfterEarlierVersion(path);
  // The file exists from here on.
  chmodSync(path, 0o600);
  return { release: () => file.close() };
}

/** @returns undefined where the file is the lock of an earlier version */
function locked(path: string): DatabaseSync | undefined {
  const file = open(path);
  try {
    file.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return file;
  } catch (error) {
    file.close();
    if (hasCode(error, SQLITE_NOTADB)) return undefined;
    if (!hasCode(error, SQLITE_BUSY))
      throw new Error(`The data directory cannot be locked (${path}): ${messageOf(error)}.`, { cause: error });
    throw new DirectoryInUseError(
      `The data directory is in use by another process (${path}). Two processes on one directory would destroy each other's data. ` +
        'Stop the other one, or choose another directory.',
    );
  }
}

/** Empties the file in place: of two processes that do so at once, the lock still lets one go on. */
function lockedAfterEarlierVersion(path: string): DatabaseSync {
  const silentMs = Date.now() - statSync(path).mtimeMs;
  if (silentMs >= SILENT_MS) truncateSync(path);
  const file = silentMs < SILENT_MS ? undefined : locked(path);
  if (file !== undefined) return file;
  throw new DirectoryInUseError(
    `The data directory is in use by an earlier version, or was less than a minute ago (${path}). Stop that one and start again in a minute.`,
  );
}

function open(path: string): DatabaseSync {
  // By its name at run time: a bundler that takes the prefix off looks for a package called sqlite.
  const { DatabaseSync: Connection } = process.getBuiltinModule('node:sqlite');
  return new Connection(path, { timeout: 0 });
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === code;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
