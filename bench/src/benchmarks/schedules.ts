import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import * as z from 'zod';
import { beginDay, copySubscriptions } from '../../../packages/checkout/test/support/copied-subscriptions.ts';
import type { Benchmark, Row } from '../benchmark.ts';
import { perSecond } from '../load.ts';
import { spreadOf } from '../measure.ts';
import { startPayers } from '../payers.ts';
import { newServer, type Place, type Service, startService, withCleanup } from '../places.ts';
import type { Child } from '../processes/child.ts';

/** At once. */
const DUE = 100_000;
/** First payments that payers make; the others are copies of these. */
const BEGUN = 100;
const CALLERS = 16;
const SAMPLE_MS = 1000;
/** How long the service has to record the last delivery, before its rows are copied. */
const RECORDED_MS = 1000;

const millisecondsSchema = z.object({ milliseconds: z.number() });

export const schedules: Benchmark = {
  name: 'schedules',
  title: `${DUE} schedules that are due at the same moment, on a PostgreSQL server, with an acquirer that answers at once; another payer begins payments meanwhile, and as well while the merchant asks for charges, ${CALLERS} at once, before and after it.`,
  async run(quick) {
    const [begun, due] = quick ? [10, 30] : [BEGUN, DUE];
    const own = quick ? 20 : 2000;
    return withCleanup(async (cleanup) => {
      const server = await newServer(cleanup);
      const [merchant, others] = [await startPayers(cleanup), await startPayers(cleanup)];
      const place = await server.newDatabase('schedules');
      const service = await startService(cleanup, place, { ...merchant.provider, takesCards: true });
      const run = (subscriptions: string, count: number, prefix = '') =>
        perSecond(merchant.process, { url: service.url, subscriptions, count, callers: CALLERS, prefix });
      const beside = (work: Promise<number>) => latencies(others.process, service, work);
      await run('begin', begun);
      await sleep(RECORDED_MS);
      await inDatabase(place, (client) => copySubscriptions(client, place.encryptionKey ?? '', due / begun));
      const alone = await latencies(others.process, service, quick ? 3 : 20);
      const byCommand = async (prefix: string) => {
        const rate = run('charge', own, prefix);
        return { rate, latency: await beside(rate) };
      };
      const before = await byCommand('before');
      const memory: number[] = [];
      await inDatabase(place, beginDay);
      const passing = run('pass', due);
      const [meanwhile] = await Promise.all([beside(passing), sampled(service, passing, memory)]);
      const after = await byCommand('after');
      const [charged, asked] = [await passing, [await before.rate, await after.rate]];
      const half = Math.ceil(memory.length / 2);
      const highest = (values: readonly number[]) => spreadOf([Math.max(...values)]);
      const besideCommands = [...before.latency, ...after.latency];
      const latency = 'Session and button of another payer meanwhile, half of them below';
      const rows: Row[] = [
        {
          what: `Charges of schedules, ${due} due at once`,
          unit: '1/s',
          value: spreadOf([charged]),
          against: { what: 'asked for by command', value: spreadOf(asked) },
          ratio: spreadOf([(charged * asked.length) / asked.reduce((sum, each) => sum + each, 0)]),
        },
        {
          what: 'Memory of the service at its highest, second half of the charges',
          unit: 'MB',
          value: highest(memory.slice(half)),
          against: { what: 'first half', value: highest(memory.slice(0, half)) },
        },
        {
          what: latency,
          unit: 'ms',
          value: spreadOf(meanwhile),
          against: { what: 'while charges are asked for by command', value: spreadOf(besideCommands) },
          ratio: spreadOf([spreadOf(besideCommands).median / spreadOf(meanwhile).median]),
        },
        { what: latency, unit: 'ms', value: spreadOf(meanwhile), against: { what: 'alone', value: spreadOf(alone) } },
      ];
      return {
        rounds: 1,
        rows,
        notes: [
          `Each schedule has a first payment of its own, made before: ${begun} by payers, the others are copies of these with all their rows, a day older, so that they are due together. A charge counts once the merchant has its callback.`,
          'Payers, provider, receiver, service and database share the cores of the machine.',
        ],
      };
    });
  },
};

async function inDatabase({ databaseUrl }: Place, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await work(client);
  await client.end();
}

/** How long a payment of others takes to begin, time after time: so often, or until something is over. */
async function latencies(payers: Child, { url }: Service, until: number | Promise<unknown>): Promise<number[]> {
  let isOver = false;
  if (typeof until !== 'number') void until.finally(() => (isOver = true)).catch(() => undefined);
  const found: number[] = [];
  while (typeof until === 'number' ? found.length < until : !isOver) {
    const prefix = `${process.hrtime.bigint()}-${found.length}`;
    found.push(millisecondsSchema.parse(await payers.ask({ url, way: 'hosted', prefix, count: 5 })).milliseconds);
  }
  return found;
}

async function sampled({ process }: Service, until: Promise<unknown>, into: number[]): Promise<void> {
  let isOver = false;
  void until.then(() => (isOver = true));
  while (!isOver) {
    into.push(await process.megabytes());
    await Promise.race([sleep(SAMPLE_MS), until]);
  }
  into.push(await process.megabytes());
}
