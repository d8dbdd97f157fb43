import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { DatabaseTooNewError, databaseClock, openDatabase, sessionsStore, vacuum } from '../../src/storage/index.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { statements } from '../../src/storage/migrations/statements.ts';
import { DirectoryInUseError, takeProcessLock } from '../../src/storage/process-lock.ts';
import { copyOfTemplate, useDatabase } from '../support/database.ts';
import { newSession } from '../support/rows.ts';

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
    await expect(openDatabase({ dataDir })).rejects.toThrow(/in use by process \d+/);
    await vacuum(first.db, 'all');
    await first.close();
    expect(existsSync(join(dataDir, 'database.lock'))).toBe(false);
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
    expect(existsSync(join(dataDir, 'database.lock'))).toBe(false);
  });
});

describe('transactions', () => {
  const database = useDatabase();

  it('keep the queries of others out, so that a rollback takes only their own', async () => {
    const sessions = sessionsStore(database.db, databaseClock);
    const kept = newSession();
    const dropped = newSession();
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const rolledBack = database.db.transaction().execute(async (trx) => {
      await sessionsStore(trx, databaseClock).create(dropped);
      begun();
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
    expect(existsSync(path)).toBe(false);
  });

  async function lockedBy(change: (holder: Record<string, unknown>) => Record<string, unknown>): Promise<string> {
    const path = join(await folder(), 'lock');
    const lock = takeProcessLock(path);
    const holder: Record<string, unknown> = JSON.parse(await readFile(path, 'utf8'));
    lock.release();
    await writeFile(path, JSON.stringify(change(holder)));
    return path;
  }

  it('is taken over from a process that is gone', async () => {
    const path = await lockedBy((holder) => ({ ...holder, pid: 2 ** 22 + 1 }));
    takeProcessLock(path).release();
    expect(existsSync(path)).toBe(false);
  });

  it('is taken over when the pid now belongs to another process, where the system tells when a process began', async () => {
    const path = await lockedBy((holder) => ({ ...holder, startedAt: 'another boot:1' }));
    if (existsSync('/proc/self/stat')) takeProcessLock(path).release();
    else expect(() => takeProcessLock(path)).toThrow(DirectoryInUseError);
    expect(existsSync(path)).toBe(!existsSync('/proc/self/stat'));
  });

  it('of another machine is respected while that machine touches it', async () => {
    const path = await lockedBy((holder) => ({ ...holder, host: 'elsewhere', pid: 2 ** 22 + 1 }));
    expect(() => takeProcessLock(path)).toThrow(/process \d+ on elsewhere/);
    const longAgo = new Date(Date.now() - 61_000);
    await utimes(path, longAgo, longAgo);
    takeProcessLock(path).release();
  });

  it('is not taken when it cannot be read', async () => {
    const path = join(await folder(), 'lock');
    await writeFile(path, 'not json');
    expect(() => takeProcessLock(path)).toThrow(/unreadable lock file/);
  });

  it('that somebody else holds by now is not released by its former holder', async () => {
    const path = join(await folder(), 'lock');
    const lock = takeProcessLock(path);
    await writeFile(path, 'another');
    lock.release();
    expect(await readFile(path, 'utf8')).toBe('another');
  });
});
