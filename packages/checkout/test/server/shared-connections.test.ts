import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SharedConnections, type Sharing } from '../../src/storage/shared-connections.ts';
import { SilentServerError } from '../../src/storage/database-failure.ts';
import { databaseProxy } from '../support/database-proxy.ts';
import { serverDatabase, type ServerDatabase } from '../support/server-database.ts';

let database: ServerDatabase;
let operator: Client;
const opened: SharedConnections[] = [];
const lost: string[] = [];

beforeEach(async () => {
  database = await serverDatabase();
  operator = new Client({ connectionString: database.url });
  await operator.connect();
});

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  lost.splice(0);
  await operator.end();
  await database.remove();
});

function share(how: Partial<Omit<Sharing, 'settings'>> = {}, url = database.url) {
  const connections = new SharedConnections({
    settings: { connectionString: url, application_name: 'shared' },
    few: 1,
    most: 1,
    silenceMs: 60_000,
    idleMs: 60_000,
    onLost: (why) => lost.push(why),
    ...how,
  });
  opened.push(connections);
  return connections;
}

const ask = async (connections: SharedConnections, text: string): Promise<unknown> =>
  Object.values(Object((await connections.query({ text })).rows[0]))[0];

/** Asks the server until it says so. */
async function until(condition: string): Promise<void> {
  const isSo = async () => (await operator.query(`SELECT pg_sleep(0.01), (${condition}) AS so`)).rows[0].so === true;
  while (!(await isSo()));
}

const COUNT = `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'shared' AND datname = current_database()`;

describe('statements that share connections', () => {
  it('go over a few of them, however many come at once', async () => {
    const connections = share({ few: 2, most: 16 });
    const pids = await Promise.all(Array.from({ length: 24 }, () => ask(connections, 'SELECT pg_backend_pid()')));
    expect(new Set(pids).size).toBe(2);
  });

  it('open more of them where each has enough to do', async () => {
    const connections = share({ few: 1, most: 3 });
    const pids = await Promise.all(Array.from({ length: 100 }, () => ask(connections, 'SELECT pg_backend_pid()')));
    expect(new Set(pids).size).toBe(3);
  });

  it('are each a transaction of their own: one that fails undoes none before or behind it', async () => {
    const connections = share();
    await ask(connections, 'CREATE TABLE seen (n integer)');
    const insert = (n: string) => ask(connections, `INSERT INTO seen VALUES (${n})`);
    const ends = await Promise.allSettled([insert('1'), insert('1 / 0'), insert('2')]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await ask(connections, 'SELECT array_agg(n ORDER BY n)::text FROM seen')).toBe('{1,2}');
  });

  it('do not wait behind one that waits for a lock, where another connection may be opened', async () => {
    const connections = share({ few: 1, most: 2 });
    await operator.query('SELECT pg_advisory_lock(7)');
    const waiting = ask(connections, 'SELECT pg_advisory_lock(7)');
    await until(
      `EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND application_name = 'shared'
        AND datname = current_database() AND clock_timestamp() > query_start + interval '400 ms')`,
    );
    expect(await ask(connections, 'SELECT 1')).toBe(1);
    await operator.query('SELECT pg_advisory_unlock(7)');
    expect(await waiting).toBe('');
  });

  it('fail together where their connection ends, and the next one opens another', async () => {
    const connections = share();
    const both = ['SELECT pg_terminate_backend(pg_backend_pid())', 'SELECT 1'].map((text) => ask(connections, text));
    const ends = await Promise.allSettled(both);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await ask(connections, 'SELECT 2')).toBe(2);
  });

  it('fail where the server has gone silent, however many more are sent to it', async () => {
    const proxy = await databaseProxy(database.url);
    const connections = share({ silenceMs: 400 }, proxy.url);
    await ask(connections, 'SELECT 1');
    proxy.state.mute = true;
    const sent: Promise<unknown>[] = [];
    let isOver = false;
    const send = () => void sent.push(ask(connections, 'SELECT 2').catch((error: unknown) => error));
    send();
    void sent[0]?.then(() => (isOver = true));
    while (!isOver) {
      await operator.query('SELECT pg_sleep(0.05)');
      send();
    }
    proxy.state.mute = false;
    expect(await sent[0]).toBeInstanceOf(SilentServerError);
    await Promise.all(sent);
    await proxy.close();
  });

  it('have closed their connection once none of them has come for long', async () => {
    const connections = share({ idleMs: 20 });
    expect(await ask(connections, 'SELECT 1')).toBe(1);
    await until(`(${COUNT}) = 0`);
    expect(await ask(connections, 'SELECT 2')).toBe(2);
    expect(lost).toEqual([]);
  });

  it('are refused once the connections are closed', async () => {
    const connections = share();
    await ask(connections, 'SELECT 1');
    await connections.close();
    await expect(ask(connections, 'SELECT 1')).rejects.toThrow('The connections are closed.');
  });

  it('report a connection that broke while nothing waited on it', async () => {
    const connections = share();
    const pid = await ask(connections, 'SELECT pg_backend_pid()');
    await operator.query('SELECT pg_terminate_backend($1, 5000)', [pid]);
    await until(`(${COUNT}) = 0`);
    await expect.poll(() => lost.length).toBe(1);
    expect(await ask(connections, 'SELECT 2')).toBe(2);
  });
});
