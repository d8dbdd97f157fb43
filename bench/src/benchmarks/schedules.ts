import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Benchmark, Row } from '../benchmark.ts';
import { perSecond } from '../load.ts';
import { spreadOf } from '../measure.ts';
import { startPayers } from '../payers.ts';
import { newServer, type Service, startService, withCleanup } from '../places.ts';
import type { Child } from '../processes/child.ts';

/** At once, where the target is an hour. */
const DUE = 100_000;
const CALLERS = 16;
const SAMPLE_MS = 1000;

const millisecondsSchema = z.object({ milliseconds: z.number() });

export const schedules: Benchmark = {
  name: 'schedules',
  title: `${DUE} schedules that are due at the same moment, on a PostgreSQL server, with an acquirer that answers at once; beside charges that the merchant asks for, and beside payments of others.`,
  async run(quick) {
    const due = quick ? 30 : DUE;
    const own = quick ? 20 : 2000;
    return withCleanup(async (cleanup) => {
      const server = await newServer(cleanup);
      const [merchant, others] = [await startPayers(cleanup), await startPayers(cleanup)];
      const place = await server.newDatabase('schedules');
      const service = await startService(cleanup, place, { ...merchant.provider, takesCards: true });
      const run = (subscriptions: string, count: number) =>
        perSecond(merchant.process, { url: service.url, subscriptions, count, callers: CALLERS });
      await run('begin', due);
      const asked = await run('charge', own);
      const alone = await latencies(others.process, service, async () => undefined, quick ? 3 : 20);
      const memory: number[] = [];
      let charged = 0;
      const passing = run('pass', due).then((rate) => (charged = rate));
      const [beside] = await Promise.all([
        latencies(others.process, service, () => passing, Infinity),
        sampled(service, passing, memory),
      ]);
      await passing;
      const half = Math.ceil(memory.length / 2);
      const highest = (values: readonly number[]) => spreadOf([Math.max(...values)]);
      const rows: Row[] = [
        {
          what: `Charges of schedules, ${due} due at once`,
          unit: '1/s',
          value: spreadOf([charged]),
          against: { what: `asked for by command, ${CALLERS} at once`, value: spreadOf([asked]) },
          ratio: spreadOf([charged / asked]),
          target: { atLeast: 1 },
        },
        {
          what: 'Memory of the service at its highest, second half of the charges',
          unit: 'MB',
          value: highest(memory.slice(half)),
          against: { what: 'first half', value: highest(memory.slice(0, half)) },
        },
        {
          what: 'Session and button of another payer meanwhile, half of them below',
          unit: 'ms',
          value: spreadOf(beside),
          against: { what: 'with nothing else', value: spreadOf(alone) },
        },
      ];
      return {
        rounds: 1,
        rows,
        notes: [
          'Each schedule has a first payment of its own, made before; a charge counts once the merchant has its callback.',
        ],
      };
    });
  },
};

/** How long a payment of others takes to begin, time after time, until something is over or as often as is said. */
async function latencies(
  payers: Child,
  { url }: Service,
  until: () => Promise<unknown>,
  most: number,
): Promise<number[]> {
  let isOver = false;
  const over = until();
  if (most === Infinity) void over.then(() => (isOver = true));
  const found: number[] = [];
  while (!isOver && found.length < most) {
    const prefix = `${most}-${found.length}`;
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
