import { cpus } from 'node:os';
import type { Benchmark } from '../benchmark.ts';
import { perSecond } from '../load.ts';
import { ratioOf, spreadOf } from '../measure.ts';
import { newServer, startService, withCleanup } from '../places.ts';
import { startChild } from '../processes/child.ts';

const CONNECTIONS = 64;

export const processes: Benchmark = {
  name: 'processes',
  title: 'Session creation by two service processes on one PostgreSQL server, against one.',
  async run(quick) {
    const rounds = quick ? 1 : 9;
    const count = quick ? 20 : 3000;
    return withCleanup(async (cleanup) => {
      const place = await (await newServer(cleanup)).newDatabase('shared');
      const services = [await startService(cleanup, place), await startService(cleanup, place)];
      const load = startChild('load');
      cleanup.add(load.end);
      const urls = services.map((service) => service.url);
      const cpuOfAll = async () => {
        const used = await Promise.all(services.map((service) => service.process.cpuSeconds()));
        return used.reduce((sum, each) => sum + each, 0);
      };
      const create = async (over: readonly string[], prefix: string) => {
        const before = await cpuOfAll();
        const speed = await perSecond(load, { kind: 'create', urls: over, prefix, count, connections: CONNECTIONS });
        return { speed, cpu: (((await cpuOfAll()) - before) / count) * 1000 };
      };
      await create(urls, 'warm');
      const one: { speed: number; cpu: number }[] = [];
      const two: { speed: number; cpu: number }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        one.push(await create(urls.slice(0, 1), `one-${round}`));
        two.push(await create(urls, `two-${round}`));
      }
      const speeds = (runs: typeof one) => runs.map(({ speed }) => speed);
      const cpu = (runs: typeof one) => spreadOf(runs.map((run) => run.cpu));
      return {
        rounds,
        rows: [
          {
            what: 'Sessions created, two processes',
            unit: '1/s',
            value: spreadOf(speeds(two)),
            against: { what: 'one', value: spreadOf(speeds(one)) },
            ratio: ratioOf(speeds(two), speeds(one)),
          },
          {
            what: 'Processor time for a session, two processes together',
            unit: 'ms',
            value: cpu(two),
            against: { what: 'one', value: cpu(one) },
          },
        ],
        notes: [
          `Two processes need a core each, beside those of the server and of the load generator; this machine has ${cpus().length}. Where they are fewer, the second line says more: what a session costs must not grow with the number of processes.`,
        ],
      };
    });
  },
};
