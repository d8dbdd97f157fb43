import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { DatabaseTooNewError, databaseClock, openDatabase, sessionsStore, vacuum } from '../../src/storage/index.ts';
import { migrate } from '../../src/storage/database/open.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { statements } from '../../src/storage/migrations/statements.ts';
import { keepToOwner } from '../../src/storage/database/embedded.ts';
import { DirectoryInUseError, takeProcessLock } from '../../src/storage/database/embedded.ts';
import { fileModes, pidNamespaces, requireTool } from '../../../../test/support/tool.ts';
import { copyOfTemplate, useDatabase } from '../support/database.ts';
import { newSession } from '../support/rows.ts';

const HOLDER = fileURLToPath(new URL('../support/lock-holder.ts', import.meta.url));

const folders: string[] = [];
async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'checkout-database-'));
  folders.push(made);
  return made;
}
afterEach(async () => {
  for (const each of folders.splice(0)) await rm(each, { recursive: true });
});

describe('openDatabase', () => {
  it('keeps what was written when it is closed and opened again, and refuses a second opening meanwhile', async () => {
    const dataDir = join(await folder(), 'made', 'when-missing');
    const first = await openDatabase({ dataDir });
    const session = newSession();
    await sessionsStore(first.db, databaseClock).create(session);
    await expect(openDatabase({ dataDir })).rejects.toBeInstanceOf(DirectoryInUseError);
    await vacuum(first.db, 'all');
    await first.close();
    const second = await openDatabase({ dataDir });
    expect(await sessionsStore(second.db, databaseClock).find(session.id)).toMatchObject({
      requestText: session.requestText,
    });
    await second.close();
  });

  it('lets the directory go when the database is too new', async () => {
    const dataDir = await folder();
    const first = await openDatabase({ dataDir });
    await sql`INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')`.execute(first.db);
    await first.close();
    await expect(openDatabase({ dataDir })).rejects.toBeInstanceOf(DatabaseTooNewError);
  });
});

describe('transactions', () => {
  const database = useDatabase();

  it('keep the queries of others out, so that a rollback takes only their own', async () => {
    const sessions = sessionsStore(database.db, databaseClock);
    const kept = newSession();
    const dropped = newSession();
    let started = () => {};
    const hasBegun = new Promise<void>((resolve) => (started = resolve));
    const rolledBack = database.db.transaction().execute(async (trx) => {
      await sessionsStore(trx, databaseClock).create(dropped);
      started();
      // Give the other query every chance to slip in.
      for (let turn = 0; turn < 5; turn += 1) await sql`SELECT 1`.execute(trx);
      throw new Error('rolled back');
    });
    const refused = expect(rolledBack).rejects.toThrow('rolled back');
    await hasBegun;
    await Promise.all([refused, sessions.create(kept)]);
    expect((await database.db.selectFrom('sessions').select('id').execute()).map(({ id }) => id)).toEqual([kept.id]);
  });
});

describe('migrations', () => {
  const later = {
    ...migrations,
    '9998-later': statements(['CREATE TABLE later (id integer)', 'CREATE TABLE later_too (id integer)']),
  };

  it('are applied once, in order, and recorded', async () => {
    const db = await copyOfTemplate();
    expect(await migrate(db, migrations)).toEqual([]);
    expect(await migrate(db, later)).toEqual(['9998-later']);
    expect(await migrate(db, later)).toEqual([]);
    await db.destroy();
  });

  it('cost a start two short queries where the database has them all', async () => {
    const db = await copyOfTemplate();
    let queries = 0;
    const counted = db.withPlugin({
      transformQuery({ node }) {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    expect(await migrate(counted, migrations)).toEqual([]);
    expect(queries).toBe(2);
    await db.destroy();
  });

  it('are refused by a version that does not know them all, and nothing is touched', async () => {
    const db = await copyOfTemplate();
    await migrate(db, later);
    await expect(migrate(db, migrations)).rejects.toThrow(
      /newer version of this service: it has the migration 9998-later/,
    );
    await expect(
      migrate(db, { ...migrations, '9999-mine': statements(['CREATE TABLE mine (id integer)']) }),
    ).rejects.toBeInstanceOf(DatabaseTooNewError);
    expect((await sql`SELECT to_regclass('mine') AS found`.execute(db)).rows).toEqual([{ found: null }]);
    await db.destroy();
  });

  it('leave nothing behind when one fails', async () => {
    const db = await copyOfTemplate();
    const broken = {
      ...migrations,
      '9998-broken': statements(['CREATE TABLE half (id integer)', 'CREATE TABLE sessions (id integer)']),
    };
    await expect(migrate(db, broken)).rejects.toThrow('The migration 9998-broken failed; nothing was changed.');
    expect((await sql`SELECT to_regclass('half') AS found`.execute(db)).rows).toEqual([{ found: null }]);
    expect(await migrate(db, later)).toEqual(['9998-later']);
    await db.destroy();
  });
});

describe('the lock of the data directory', () => {
  it('is held by one, and free again after release', async () => {
    const path = join(await folder(), 'lock');
    const lock = takeProcessLock(path);
    expect(() => takeProcessLock(path)).toThrow(DirectoryInUseError);
    lock.release();
    takeProcessLock(path).release();
  });

  it('is free at once when its holder was killed', async () => {
    const path = join(await folder(), 'lock');
    const holder = await holding(path);
    expect(() => takeProcessLock(path)).toThrow(DirectoryInUseError);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    takeProcessLock(path).release();
  });

  it('is taken over from an earlier version that was killed, and not from one that is alive', async () => {
    const path = join(await folder(), 'lock');
    // What earlier versions wrote, and touched every ten seconds as long as they lived.
    await writeFile(path, JSON.stringify({ pid: 1, startedAt: 'boot:1', host: 'host', token: 'token' }));
    expect(() => takeProcessLock(path)).toThrow(DirectoryInUseError);
    const silent = new Date(Date.now() - 61_000);
    await utimes(path, silent, silent);
    const lock = takeProcessLock(path);
    expect(() => takeProcessLock(path)).toThrow(DirectoryInUseError);
    lock.release();
    takeProcessLock(path).release();
  });

  it('is held against a process that cannot see its holder: another pid namespace', async (ctx) => {
    const unshare = requireTool(ctx, pidNamespaces);
    const path = join(await folder(), 'lock');
    const holder = await holding(path, [unshare, '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child']);
    expect(() => takeProcessLock(path)).toThrow(DirectoryInUseError);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
  });
});

/** A process that holds the lock until it is killed. */
async function holding(path: string, within: readonly string[] = []) {
  const [program = '', ...args] = [...within, process.execPath, '--conditions=@railyard/source', HOLDER, path];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

describe('the files of a data directory', () => {
  /** The rights of everything below a directory that others have. */
  async function openToOthers(dataDir: string): Promise<string[]> {
    const names = ['.', ...(await readdir(dataDir, { recursive: true }))];
    const modes = await Promise.all(
      names.map(async (name) => ((await lstat(join(dataDir, name))).mode & 0o077 ? [name] : [])),
    );
    return modes.flat();
  }

  it('belong to their owner alone, while it is open and afterwards', async (ctx) => {
    requireTool(ctx, fileModes);
    const dataDir = join(await folder(), 'data');
    const opened = await openDatabase({ dataDir });
    expect(await openToOthers(dataDir)).toEqual([]);
    await opened.close();
    expect(await openToOthers(dataDir)).toEqual([]);
  });

  it('lose the rights of others where they were made with them, and other files keep theirs', async (ctx) => {
    requireTool(ctx, fileModes);
    const dataDir = await folder();
    await (await openDatabase({ dataDir })).close();
    for (const name of ['notes.txt', 'old.key']) await writeFile(join(dataDir, name), 'x');
    for (const name of ['.', 'database', 'database/PG_VERSION', 'old.key', 'notes.txt'])
      await chmod(join(dataDir, name), 0o755);
    await (await openDatabase({ dataDir })).close();
    expect(await openToOthers(dataDir)).toEqual(['notes.txt']);
  });

  it('refuse the start where others may read them and that cannot be changed', async (ctx) => {
    requireTool(ctx, fileModes);
    const dataDir = await folder();
    await chmod(dataDir, 0o755);
    const refused = () => {
      throw new Error('EPERM');
    };
    expect(() => keepToOwner(dataDir, refused)).toThrow(`Run as its owner: chmod 700 ${dataDir}`);
  });
});
