import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { copyPayments } from '../../../packages/checkout/test/support/copied-payments.ts';
import type { Benchmark } from '../benchmark.ts';
import { perSecond } from '../load.ts';
import { ratioOf, spreadOf } from '../measure.ts';
import { startPayers } from '../payers.ts';
import { newServer, type Place, startService, withCleanup } from '../places.ts';
import { startChild } from '../processes/child.ts';

const CONNECTIONS = 64;
const CALLERS = 16;
/** How long the service has to record the last delivery, before its rows are copied. */
const RECORDED_MS = 1000;

export const stored: Benchmark = {
  name: 'stored',
  title:
    'Sessions, status lookups by order and whole payments on a PostgreSQL server that stores a million payments, against a thousand.',
  async run(quick) {
    const rounds = quick ? 1 : 9;
    const count = quick ? 20 : 2000;
    const payments = quick ? 4 : 300;
    const [few, many] = quick ? [20, 200] : [1000, 1_000_000];
    return withCleanup(async (cleanup) => {
      const server = await newServer(cleanup);
      const load = startChild('load');
      cleanup.add(load.end);
      const payers = await startPayers(cleanup);
      const pay = (url: string, prefix: string, size: number) =>
        perSecond(payers.process, { url, method: 'pix', prefix, count: size, callers: CALLERS });
      const run = (kind: string, url: string, prefix: string) =>
        perSecond(load, { kind, urls: [url], prefix, count, connections: CONNECTIONS });
      const serviceWith = async (name: string, copies: number) => {
        const place = await server.newDatabase(name);
        const service = await startService(cleanup, place, payers.provider);
        await pay(service.url, `first-${name}`, 1);
        await sleep(RECORDED_MS);
        await copy(place, copies);
        return service.url;
      };
      const small = await serviceWith('few', few);
      const large = await serviceWith('many', many);
      const work = {
        'Sessions created': (url: string, round: number) => run('create', url, `round-${round}`),
        'Status lookups': (url: string) => run('status', url, 'known'),
        'Whole payments': (url: string, round: number) => pay(url, `paid-${round}-${url}`, payments),
      };
      // Also makes the orders that are looked up.
      for (const url of [small, large]) {
        await run('create', url, 'known');
        await pay(url, `warm-${url}`, payments);
      }
      const rows = Object.entries(work).map(([what, measure]) => ({ what, measure, smaller: [0], larger: [0] }));
      for (const row of rows) row.smaller.length = row.larger.length = 0;
      for (let round = 0; round < rounds; round += 1)
        for (const { measure, smaller, larger } of rows) {
          smaller.push(await measure(small, round));
          larger.push(await measure(large, round));
        }
      return {
        rounds,
        rows: rows.map(({ what, smaller, larger }) => ({
          what: `${what}, ${many} stored payments`,
          unit: '1/s',
          value: spreadOf(larger),
          against: { what: `${few} stored`, value: spreadOf(smaller) },
          ratio: ratioOf(larger, smaller),
          target: { atLeast: 0.9 },
        })),
        notes: [
          'A stored payment has all its rows: session, payment, references, history, run, journal, notification, event, callbacks and their attempts.',
          'That each statement reads few pages beside a million payments, those of claims, reconciliation and retention too, is held by a test (`packages/checkout/test/server/many-payments.test.ts`).',
        ],
      };
    });
  },
};

/**
 * Copies the one payment that there is. The rows are vacuumed at once, as those of a deployment have been for long: otherwise the server
 * begins to vacuum a million of them during the rounds, on the cores that are measured.
 */
async function copy(place: Required<Pick<Place, 'databaseUrl'>>, copies: number): Promise<void> {
  const client = new Client({ connectionString: place.databaseUrl });
  await client.connect();
  await copyPayments(client, copies);
  for (const statement of ['VACUUM', 'CHECKPOINT']) await client.query(statement);
  await client.end();
}
