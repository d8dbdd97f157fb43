import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/storage/index.ts';
import { serverDatabase, type ServerDatabase } from '../support/server-database.ts';

let database: ServerDatabase;
let here: Database;
let there: Database;
beforeEach(async () => {
  database = await serverDatabase();
  [here, there] = await Promise.all([openDatabase({ url: database.url }), openDatabase({ url: database.url })]);
});
afterEach(async () => {
  await Promise.all([here.close(), there.close()]);
  await database.remove();
});

/** What a process hears: ids, and `gap` where something may have been missed. */
function ears(of: Database) {
  const heard: string[] = [];
  let waiting: (() => void)[] = [];
  const hear = (word: string) => {
    heard.push(word);
    for (const wake of waiting) wake();
    waiting = [];
  };
  const news = of.changeBus({ onChange: hear, onGap: () => hear('gap') });
  return {
    heard,
    tell: news.publish,
    async until(fits: (words: readonly string[]) => boolean) {
      while (!fits(heard)) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

describe('a change', () => {
  it('reaches the other processes, not the one that made it', async () => {
    const [mine, theirs] = [ears(here), ears(there)];
    await Promise.all([mine.until((words) => words.includes('gap')), theirs.until((words) => words.includes('gap'))]);
    // More at once than one message can carry.
    const ids = Array.from({ length: 500 }, () => randomUUID());
    for (const id of ids) mine.tell(id);
    await theirs.until((words) => words.length > ids.length);
    expect(new Set(theirs.heard)).toEqual(new Set(['gap', ...ids]));
    const answer = randomUUID();
    theirs.tell(answer);
    await mine.until((words) => words.includes(answer));
    expect(mine.heard).toEqual(['gap', answer]);
  });

  it('reaches a process that listens anew and has forgotten the other ones', async () => {
    const mine = ears(here);
    await mine.until((words) => words.includes('gap'));
    const other = new Client({ connectionString: database.url });
    await other.connect();
    const [me, heard] = [randomUUID(), new EventEmitter()];
    other.on('notification', ({ payload = '' }) => payload.includes('hello') || heard.emit('word', payload));
    await other.query('LISTEN railyard_changes');
    // The second one is of a process that is known: it is answered too, well before the next sign of life.
    for (let time = 0; time < 2; time += 1) {
      const answered = once(heard, 'word');
      await other.query('SELECT pg_notify($1, $2)', ['railyard_changes', `${me} hello`]);
      expect(await answered).toEqual([expect.stringMatching(/^[-0-9a-f]{36}$/)]);
    }
    await other.end();
  });

  it('that was missed while no process listened is made good by looking again', async () => {
    const [mine, theirs] = [ears(here), ears(there)];
    await theirs.until((words) => words.includes('gap'));
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()
      AND (query LIKE 'LISTEN%' OR query LIKE 'SELECT pg_notify%') AND datname = current_database()`.execute(here.db);
    await theirs.until((words) => words.filter((word) => word === 'gap').length >= 2);
    const id = randomUUID();
    // A message is a hint and may be lost while a connection is replaced: it is sent until it is heard.
    await expect
      .poll(() => {
        mine.tell(id);
        return theirs.heard;
      })
      .toContain(id);
  });
});
