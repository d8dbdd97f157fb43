import { Client } from 'pg';
import type { Benchmark } from '../benchmark.ts';
import { perSecond } from '../load.ts';
import { ratioOf, spreadOf } from '../measure.ts';
import { type Cleanup, newServer, type Server, startService, withCleanup } from '../places.ts';
import { startChild } from '../processes/child.ts';

const CONNECTIONS = 64;

export const stored: Benchmark = {
  name: 'stored',
  title:
    'Session creation and status lookups by order with a million stored sessions on a PostgreSQL server, against a thousand.',
  async run(quick) {
    const rounds = quick ? 1 : 9;
    const count = quick ? 20 : 2000;
    const [few, many] = quick ? [20, 200] : [1000, 1_000_000];
    return withCleanup(async (cleanup) => {
      const server = await newServer(cleanup);
      const load = startChild('load');
      cleanup.add(load.end);
      const run = (kind: string, url: string, prefix: string) =>
        perSecond(load, { kind, urls: [url], prefix, count, connections: CONNECTIONS });
      const small = await serviceWith(cleanup, server, 'few', few);
      const large = await serviceWith(cleanup, server, 'many', many);
      const speeds = { smallCreate: [0], largeCreate: [0], smallStatus: [0], largeStatus: [0] };
      for (const each of Object.values(speeds)) each.length = 0;
      // Also makes the orders that are looked up.
      for (const url of [small, large]) await run('create', url, 'known');
      for (let round = 0; round < rounds; round += 1) {
        speeds.smallCreate.push(await run('create', small, `round-${round}`));
        speeds.largeCreate.push(await run('create', large, `round-${round}`));
        speeds.smallStatus.push(await run('status', small, 'known'));
        speeds.largeStatus.push(await run('status', large, 'known'));
      }
      const row = (what: string, larger: readonly number[], smaller: readonly number[]) => ({
        what: `${what}, ${many} stored sessions`,
        unit: '1/s',
        value: spreadOf(larger),
        against: { what: `${few} stored`, value: spreadOf(smaller) },
        ratio: ratioOf(larger, smaller),
        target: { atLeast: 0.9 },
      });
      return {
        rounds,
        rows: [
          row('Sessions created', speeds.largeCreate, speeds.smallCreate),
          row('Status lookups', speeds.largeStatus, speeds.smallStatus),
        ],
        notes: [],
      };
    });
  },
};

/** A service on a database of its own in which so many sessions are stored. @returns its address */
async function serviceWith(cleanup: Cleanup, server: Server, name: string, count: number): Promise<string> {
  const place = await server.newDatabase(name);
  const service = await startService(cleanup, place);
  const load = startChild('load');
  await perSecond(load, { kind: 'create', urls: [service.url], prefix: 'first', count: 1, connections: 1 });
  await load.end();
  const client = new Client({ connectionString: place.databaseUrl });
  await client.connect();
  await multiply(client, count);
  await client.end();
  return service.url;
}

/** Copies of the one session that there is, each under an id, a token and an order number of its own. */
async function multiply(client: Client, count: number): Promise<void> {
  const own: Readonly<Record<string, string>> = {
    id: 'gen_random_uuid()',
    token_hash: `encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex')`,
    order_number: `'stored-' || copy`,
  };
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'sessions' AND is_generated = 'NEVER'`,
  );
  const columns = rows.map(({ name }) => name);
  await client.query(
    `INSERT INTO sessions (${columns.join(', ')})
       SELECT ${columns.map((name) => own[name] ?? name).join(', ')} FROM sessions, generate_series(1, $1::integer) AS copy`,
    [count],
  );
  await client.query('ANALYZE sessions');
  await client.query('CHECKPOINT');
}
