import type { Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { CompiledQuery } from 'kysely';
import type { ConstructorOptions, Db as JobsConnection } from 'pg-boss';
import type { Db } from './sql.ts';
import { chmodSync, lstatSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/** The types of arrays, by the types of their elements. PostgreSQL's own have the same numbers in every database (its `pg_type.dat`). */
export const ARRAYS: ReadonlyMap<number, number> = new Map([
  [16, 1000], // bool
  [17, 1001], // bytea
  [20, 1016], // int8
  [21, 1005], // int2

  [23, 1007], // int4
  [25, 1009], // text
  [26, 1028], // oid
  [114, 199], // json
  [700, 1021], // float4
  [701, 1022], // float8
  [1042, 1014], // bpchar
  [1043, 1015], // varchar
  [1082, 1182], // date
  [1114, 1115], // timestamp
  [1184, 1185], // timestamptz
  [1186, 1187], // interval
  [1700, 1231], // numeric
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
]);

/**
 * The engine's memory for pages of its tables. It writes zeros over all of it at every start: PostgreSQL's own 128 MB were a quarter of
 * the engine's start. Other pages come from the files, which the system keeps in memory.
 */
const BUFFERS = ['-c', 'shared_buffers=32MB'];

/**
 * Starts the embedded database.
 *
 * @param directory none: in memory
 */
export async function startEmbedded(directory?: string): Promise<PGlite> {
  const { PGlite, types } = await engineLibrary();
  class Engine extends PGlite {
    /** Otherwise the library asks the database at every start, also for the catalogue's own tables: a fifth of the engine's start. */
    override async _initArrayTypes(): Promise<void> {
      for (const [element, array] of ARRAYS) {
        const parse = this.parsers[element] ?? ((text) => text);
        this.serializers[array] = (list) => types.arraySerializer(list, this.serializers[element], array);
        this.parsers[array] = (text) => types.arrayParser(text, parse, array);
      }
    }
  }
  const engine = new Engine(directory, { startParams: [...PGlite.defaultStartParams, ...BUFFERS] });
  await engine.waitReady;
  return engine;
}

/** An optional peer of 27 MB, which a deployment on a server does not install. */
async function engineLibrary() {
  try {
    return await import('@electric-sql/pglite');
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw cause;
    throw new Error(
      'The embedded database is not installed. Run npm install @electric-sql/pglite, or set databaseUrl to a PostgreSQL server.',
      { cause },
    );
  }
}

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

/** A directory with the data of payers that other users of the machine may read, and that this process may not change. */
export class ReadableByOthersError extends Error {
  override readonly name = 'ReadableByOthersError';
}

type SetMode = (path: string, mode: number) => void;

const OTHERS = 0o077;
/** Of a data directory: the database and its lock, and keys. Other files in it are not the service's to change. */
const OURS = /^database(\.lock)?$|\.key$/;

/**
 * Takes the rights of other users off a data directory and the service's files in it, also where they existed before: directories become
 * 0700, files 0600. Windows has no such rights and is left alone.
 *
 * @param setMode changes rights; default: the system's own
 * @throws ReadableByOthersError where that is not allowed
 */
export function keepToOwner(dataDir: string, setMode: SetMode = chmodSync): void {
  if (process.platform === 'win32') return;
  restrict(dataDir, setMode);
  for (const name of readdirSync(dataDir)) if (OURS.test(name)) restrictAll(join(dataDir, name), setMode);
}

function restrictAll(path: string, setMode: SetMode): void {
  if (restrict(path, setMode) === 'other') return;
  for (const name of readdirSync(path)) restrictAll(join(path, name), setMode);
}

function restrict(path: string, setMode: SetMode): 'directory' | 'other' {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return 'other';
  const mode = found.isDirectory() ? 0o700 : 0o600;
  if ((found.mode & OTHERS) !== 0) change(path, mode, setMode);
  return found.isDirectory() ? 'directory' : 'other';
}

function change(path: string, mode: number, setMode: SetMode): void {
  try {
    setMode(path, mode);
  } catch {
    throw new ReadableByOthersError(
      `Other users may read ${path}, which holds data of payers, and this process may not change that. Run as its owner: chmod ${mode.toString(8)} ${path}`,
    );
  }
}

/** Another process has the directory open, or this one has already. */
export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

export interface ProcessLock {
  release(): void;
}

/** SQLite's codes for a file that another connection has locked, and for a file that is no database. */
const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

/** Earlier versions wrote their pid into the file and touched it every ten seconds; a process that is silent for so long was killed. */
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
