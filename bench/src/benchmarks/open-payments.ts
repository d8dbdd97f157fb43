import * as z from 'zod';
import type { Benchmark, Row } from '../benchmark.ts';
import { perSecond } from '../load.ts';
import { spreadOf } from '../measure.ts';
import type { OpenResult } from '../open-model.ts';
import { startPayers } from '../payers.ts';
import { type Cleanup, newServer, startService, withCleanup } from '../places.ts';

/** Offered a second. */
const RATE = 165;

const percentiles = z.tuple([z.number(), z.number()]);
const resultSchema: z.ZodType<OpenResult> = z.object({
  perSecond: z.number(),
  failed: z.number(),
  arrived: z.number(),
  payMs: percentiles,
  wholeMs: percentiles,
});

interface Round extends OpenResult {
  readonly serviceCpuMs: number;
  /** Cores of the machine that the database server used. */
  readonly databaseCores: number;
}

export const openPayments: Benchmark = {
  name: 'open-payments',
  title: `Whole Pix payments that arrive at random, ${RATE} a second, whatever has become of those before; the provider takes 120 ms for half of its answers and 380 ms for one of a hundred. PostgreSQL server.`,
  async run(quick) {
    const rounds = quick ? 1 : 5;
    return withCleanup(async (cleanup) => ({
      rounds: rounds * 2,
      rows: rowsOf(await measure(cleanup, rounds, quick)),
      notes: [
        'One service. The first lines are of the first half of the rounds, in which Node still compiles, in threads whose time counts; later: the second half, after 17,500 payments. The failed payments are those of all rounds.',
        'Finished: the merchant has the callback of the settled payment. Counted from the third second of a round to its last arrival, 20 s each.',
        'Added latency: the provider’s own time is subtracted, and the 50 ms until its notification.',
        'Payer, provider, receiver, service and database share the cores of the machine.',
      ],
    }));
  },
};

interface Measured {
  readonly rounds: readonly Round[];
  /** As many rounds of the same service after them. */
  readonly later: readonly Round[];
}

async function measure(cleanup: Cleanup, rounds: number, quick: boolean): Promise<Measured> {
  const server = await newServer(cleanup);
  const payers = await startPayers(cleanup);
  const { url, process } = await startService(cleanup, await server.newDatabase('payments'), payers.provider);
  const warm = quick ? 2 : 1000;
  await perSecond(payers.process, { url, method: 'pix', prefix: 'warm', count: warm, callers: 16 });
  const seconds = quick ? 1 : 20;
  // At few a second a quick round may have none to time.
  const rate = quick ? 20 : RATE;
  const measured: Round[] = [];
  for (let round = 0; round < rounds * 2; round += 1) {
    const before = { service: await process.cpuSeconds(), database: server.cpuSeconds() };
    const result = resultSchema.parse(await payers.process.ask({ url, seed: `open-${round}`, rate, seconds }));
    measured.push({
      ...result,
      serviceCpuMs: (((await process.cpuSeconds()) - before.service) / result.arrived) * 1000,
      databaseCores: (server.cpuSeconds() - before.database) / seconds,
    });
  }
  return { rounds: measured.slice(0, rounds), later: measured.slice(rounds) };
}

const perCore = ({ perSecond: speed, databaseCores }: Round): number => speed / databaseCores;

function rowsOf({ rounds, later }: Measured): Row[] {
  const row = (what: string, unit: string, of: (round: Round) => number, counted = rounds): Row => ({
    what,
    unit,
    value: spreadOf(counted.map(of)),
  });
  const failed = row('Failed or left pending', 'payments', (each) => each.failed, [...rounds, ...later]);
  return [
    { ...row(`Payments finished, ${RATE} offered`, '1/s', (each) => each.perSecond) },
    { ...failed, bound: 0 },
    row('Added latency of the payer’s request, p50', 'ms', ({ payMs: [p50] }) => p50),
    row('Added latency of the payer’s request, p99', 'ms', ({ payMs: [, p99] }) => p99),
    row('Added latency from session to callback, p50', 'ms', ({ wholeMs: [p50] }) => p50),
    row('Added latency from session to callback, p99', 'ms', ({ wholeMs: [, p99] }) => p99),
    {
      ...row('Processor time of the service', 'ms per payment', (each) => each.serviceCpuMs),
    },
    row('Payments for each core of the database server', '1/s', perCore),
    row('Later: processor time of the service', 'ms per payment', (each) => each.serviceCpuMs, later),
    row('Later: added latency from session to callback, p50', 'ms', ({ wholeMs: [p50] }) => p50, later),
    row('Later: payments for each core of the database server', '1/s', perCore, later),
  ];
}
