import { join } from 'node:path';
import type { Benchmark, Row } from '../benchmark.ts';
import { perSecond } from '../load.ts';
import { ratioOf, spreadOf } from '../measure.ts';
import { type Cleanup, newFolder, newServer, type Place, startService, withCleanup } from '../places.ts';
import { startChild } from '../processes/child.ts';

const CONNECTIONS = 64;

export const sessions: Benchmark = {
  name: 'sessions',
  title:
    'Session creation over HTTP, 64 kept connections, the load generator in a process of its own; against a loop that does nothing but insert rows into the same table of the same engine, 64 at once.',
  async run(quick) {
    const rounds = quick ? 1 : 9;
    const count = quick ? 5 : 3000;
    return withCleanup(async (cleanup) => {
      const rows = [await onEmbedded(cleanup, rounds, count), await onServer(cleanup, rounds, count)];
      return {
        rounds,
        rows: rows.flat(),
        notes: [
          'The bare loop inserts one row; a session is also checked for duplicates, sealed and answered.',
          'Service, load generator and database share the cores of the machine; the bare loop shares them with the database alone.',
          'The first lines are of the first half of the rounds, in which Node still compiles the service; later: the second half, after 30,000 sessions.',
        ],
      };
    });
  },
};

/** One process at a time may use an embedded database, so the rounds of each way have a database of their own. */
async function onEmbedded(cleanup: Cleanup, rounds: number, count: number): Promise<Row[]> {
  const place = { dataDir: await newFolder(cleanup) };
  const bare = { dataDir: await newFolder(cleanup) };
  // The service makes the tables of the other database, too.
  await (await startService(cleanup, bare)).stop();
  const measured = await measure(cleanup, place, { directory: join(bare.dataDir, 'database') }, rounds, count);
  return rowsOf('embedded database', measured);
}

async function onServer(cleanup: Cleanup, rounds: number, count: number): Promise<Row[]> {
  const server = await newServer(cleanup);
  const place = await server.newDatabase('created');
  const measured = await measure(cleanup, place, { url: place.databaseUrl }, rounds, count);
  return rowsOf('PostgreSQL server', measured);
}

interface Round {
  readonly created: number;
  readonly inserted: number;
  /** Milliseconds of the service's processor time for a session. */
  readonly cpu: number;
}

interface Measured {
  readonly first: readonly Round[];
  readonly later: readonly Round[];
}

async function measure(
  cleanup: Cleanup,
  place: Place,
  database: object,
  rounds: number,
  count: number,
): Promise<Measured> {
  const service = await startService(cleanup, place);
  const load = startChild('load');
  const insert = startChild('insert');
  cleanup.add(load.end);
  cleanup.add(insert.end);
  const create = (prefix: string) =>
    perSecond(load, { kind: 'create', urls: [service.url], prefix, count, connections: CONNECTIONS });
  const bare = (prefix: string) => perSecond(insert, { database, prefix, count, callers: CONNECTIONS });
  await create('warm');
  await bare('bare-warm');
  const measured: Round[] = [];
  for (let round = 0; round < 2 * rounds; round += 1) {
    const before = await service.process.cpuSeconds();
    const created = await create(`round-${round}`);
    const cpu = (((await service.process.cpuSeconds()) - before) / count) * 1000;
    measured.push({ created, cpu, inserted: await bare(`bare-${round}`) });
  }
  await service.stop();
  return { first: measured.slice(0, rounds), later: measured.slice(rounds) };
}

function rowsOf(engine: string, { first, later }: Measured): Row[] {
  return [
    { ...createdRow(`Sessions created, ${engine}`, first) },
    {
      what: `Processor time of the service for a session, ${engine}`,
      unit: 'ms',
      value: spreadOf(first.map(({ cpu }) => cpu)),
    },
    createdRow(`Later: sessions created, ${engine}`, later),
  ];
}

function createdRow(what: string, rounds: readonly Round[]): Row {
  const created = rounds.map((each) => each.created);
  const inserted = rounds.map((each) => each.inserted);
  return {
    what,
    unit: '1/s',
    value: spreadOf(created),
    against: { what: 'bare inserts', value: spreadOf(inserted) },
    ratio: ratioOf(created, inserted),
  };
}
