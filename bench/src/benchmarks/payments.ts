import { setTimeout as sleep } from 'node:timers/promises';
import { statementLog } from '../../../packages/checkout/test/support/statement-log.ts';
import type { Benchmark, Row } from '../benchmark.ts';
import { perSecond } from '../load.ts';
import { ratioOf, spreadOf } from '../measure.ts';
import { type Cleanup, newServer, type Server, startByHand, startService, withCleanup } from '../places.ts';
import { startPayers } from '../payers.ts';

/** The bounds are loose: tests of the checkout hold the exact numbers, and on a busy machine a notification overtakes what it needs. */
const METHODS = [
  { method: 'pix', title: 'Pix, one provider call and a signed notification', bound: 13 },
  {
    method: 'pix-collection',
    title: 'Pix, two provider calls: the notification only says where to look',
    bound: 17,
  },
] as const;

/** Of queries a second: a short window may hold all that is done once a minute. */
const IDLE_BOUND = 6;
/** A whole minute holds everything that a process does by itself. */
const IDLE_MS = 60_000;

export const payments: Benchmark = {
  name: 'payments',
  title:
    'Whole payments on a PostgreSQL server: the session is created, the payer pays, the provider is called and notifies, the merchant gets the callback; against the same work written by hand with pg and undici.',
  async run(quick) {
    const rounds = quick ? 1 : 5;
    return withCleanup(async (cleanup) => {
      const server = await newServer(cleanup);
      const counted = await countTrips(cleanup, server, rounds, quick);
      return {
        rounds,
        rows: [...counted, ...(await besideByHand(cleanup, server, rounds, quick))],
        notes: [
          'Round trips are counted between service and server, from the session request to the recorded delivery of the last callback, one payment after another; the lower of several counts, because what the service asks by itself comes in between.',
          'Payer, provider and receiver share one further process on the same cores.',
          'By hand there is no sealing, no vault, no limit, no log, and no repeat of what a killed process had in hand; each step is durable as here.',
        ],
      };
    });
  },
};

async function countTrips(cleanup: Cleanup, server: Server, rounds: number, quick: boolean): Promise<Row[]> {
  const place = await server.newDatabase('counted');
  const log = await statementLog(place.databaseUrl);
  cleanup.add(log.close);
  const payers = await startPayers(cleanup);
  const service = await startService(cleanup, { ...place, databaseUrl: log.url }, payers.provider);
  const rows: Row[] = [];
  for (const { method, title, bound } of METHODS) {
    const trips: number[] = [];
    const one = async (name: string) => {
      const before = log.statements.length;
      await perSecond(payers.process, { url: service.url, method, prefix: `${method}-${name}`, count: 1, callers: 1 });
      // The receiver has the callback before its delivery is recorded.
      await sleep(100);
      return log.statements.length - before;
    };
    await one('warm');
    for (let round = 0; round < rounds; round += 1) {
      const counts: number[] = [];
      for (let at = 0; at < (quick ? 3 : 10); at += 1) counts.push(await one(`${round}-${at}`));
      trips.push(Math.min(...counts));
    }
    const what = `Database round trips: ${title}`;
    rows.push({ what, unit: 'per payment', value: spreadOf(trips), bound });
  }
  const before = log.statements.length;
  const window = quick ? IDLE_MS / 6 : IDLE_MS;
  await sleep(window);
  const idle = (log.statements.length - before) / (window / 1000);
  await service.stop();
  return [
    ...rows,
    {
      what: 'Queries of an idle service, in the minute after payments',
      unit: '1/s',
      value: spreadOf([idle]),
      bound: IDLE_BOUND,
    },
  ];
}

async function besideByHand(cleanup: Cleanup, server: Server, rounds: number, quick: boolean): Promise<Row[]> {
  const payers = await startPayers(cleanup);
  const ours = await startService(cleanup, await server.newDatabase('ours'), payers.provider);
  const hand = await startByHand(cleanup, await server.newDatabase('by_hand'), payers.provider);
  const count = quick ? 4 : 600;
  const speeds: Record<'ours' | 'hand', number[]> = { ours: [], hand: [] };
  const cpu: Record<'ours' | 'hand', number[]> = { ours: [], hand: [] };
  const pay = (url: string, prefix: string) =>
    perSecond(payers.process, { url, method: 'pix', prefix, count, callers: 64 });
  for (const { url } of [ours, hand]) await pay(url, `warm-${url}`);
  for (let round = 0; round < rounds; round += 1)
    for (const [name, { url, process }] of Object.entries({ ours, hand } as const)) {
      const side = name === 'ours' ? 'ours' : 'hand';
      const before = await process.cpuSeconds();
      speeds[side].push(await pay(url, `${side}-${round}`));
      cpu[side].push((((await process.cpuSeconds()) - before) / count) * 1000);
    }
  await Promise.all([ours.stop(), hand.stop()]);
  return [
    {
      what: 'Payments, 64 at once, a provider that answers at once and notifies after 50 ms',
      unit: '1/s',
      value: spreadOf(speeds.ours),
      against: { what: 'by hand', value: spreadOf(speeds.hand) },
      ratio: ratioOf(speeds.ours, speeds.hand),
    },
    {
      what: 'Processor time of the service for a payment',
      unit: 'ms',
      value: spreadOf(cpu.ours),
      against: { what: 'by hand', value: spreadOf(cpu.hand) },
    },
  ];
}
