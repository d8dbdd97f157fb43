import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { statementLog } from '../../../packages/checkout/test/support/statement-log.ts';
import type { Benchmark, Row } from '../benchmark.ts';
import { perSecond } from '../load.ts';
import { spreadOf } from '../measure.ts';
import { type Cleanup, newServer, startService, withCleanup } from '../places.ts';
import { startChild } from '../processes/child.ts';

const METHODS = [
  { method: 'pix', title: 'Pix, one provider call and a signed notification', atOnce: 500, warm: 200, mostTrips: 8 },
  // The provider is asked a second or more after its notification, so fewer of them take as long.
  {
    method: 'pix-collection',
    title: 'Pix, two provider calls: the notification only says where to look',
    atOnce: 60,
    warm: 30,
    mostTrips: 12,
  },
] as const;

const addressSchema = z.object({
  url: z.string(),
  apiKey: z.string(),
  webhookSecret: z.string(),
  callbackUrl: z.string(),
});

export const payments: Benchmark = {
  name: 'payments',
  title:
    'Whole payments on a PostgreSQL server: the session is created, the payer pays, the provider is called and notifies, the merchant gets the callback.',
  async run(quick) {
    const rounds = quick ? 1 : 5;
    return withCleanup(async (cleanup) => ({
      rounds,
      rows: await measure(cleanup, rounds, quick),
      notes: [
        'Round trips are counted between service and server, one payment after another, without those that the idle service makes.',
        'Payer, provider and receiver share one further process on the same cores.',
      ],
    }));
  },
};

async function measure(cleanup: Cleanup, rounds: number, quick: boolean): Promise<Row[]> {
  const server = await newServer(cleanup);
  const place = await server.newDatabase('payments');
  const counted = await statementLog(place.databaseUrl);
  cleanup.add(counted.close);
  const world = startChild('payments');
  cleanup.add(world.end);
  const provider = addressSchema.parse(await world.ask('address'));
  const service = await startService(cleanup, { ...place, databaseUrl: counted.url }, provider);
  const pay = (method: string, prefix: string, count: number, callers: number) =>
    perSecond(world, { url: service.url, method, prefix, count, callers });
  const rows: Row[] = [];
  for (const { method, title, atOnce, warm, mostTrips } of METHODS) {
    await pay(method, `${method}-warm`, quick ? 2 : warm, 8);
    const trips: number[] = [];
    const speeds: number[] = [];
    const cpu: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      trips.push(
        await tripsOfOne(
          () => counted.statements.length,
          (count) => pay(method, `${method}-one-${round}`, count, 1),
          quick,
        ),
      );
      const count = quick ? 4 : atOnce;
      const before = await service.process.cpuSeconds();
      speeds.push(await pay(method, `${method}-many-${round}`, count, 32));
      cpu.push((((await service.process.cpuSeconds()) - before) / count) * 1000);
    }
    const target = { atMost: mostTrips };
    rows.push({ what: `Database round trips: ${title}`, unit: 'per payment', value: spreadOf(trips), target });
    rows.push({ what: `Payments, 32 at once: ${title}`, unit: '1/s', value: spreadOf(speeds) });
    rows.push({ what: `Processor time of the service: ${title}`, unit: 'ms per payment', value: spreadOf(cpu) });
  }
  return rows;
}

async function tripsOfOne(
  count: () => number,
  pay: (payments: number) => Promise<number>,
  quick: boolean,
): Promise<number> {
  const idleMs = quick ? 200 : 4000;
  const idleFrom = count();
  await sleep(idleMs);
  const idlePerMs = (count() - idleFrom) / idleMs;
  const paymentsMade = quick ? 2 : 10;
  const from = count();
  const start = process.hrtime.bigint();
  await pay(paymentsMade);
  const tookMs = Number(process.hrtime.bigint() - start) / 1e6;
  return (count() - from - idlePerMs * tookMs) / paymentsMade;
}
