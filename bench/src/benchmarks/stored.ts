import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { copyPayments } from '../../../packages/checkout/test/support/copied-payments.ts';
import type { Benchmark } from '../benchmark.ts';
import { perSecond } from '../load.ts';
import { ratioOf, spreadOf } from '../measure.ts';
import { startPayers } from '../payers.ts';
import { newServer, type Place, type Service, startService, withCleanup } from '../places.ts';
import { startChild } from '../processes/child.ts';

const CONNECTIONS = 64;
const CALLERS = 16;
/** How long the service has to record the last delivery, before its rows are copied. */
const RECORDED_MS = 1000;

export const stored: Benchmark = {
  name: 'stored',
  title:
    'On a PostgreSQL server that stores a million payments, against a thousand. First sessions, status lookups by order and whole payments; then, by one process without payers, turns of all claims with nothing due, callbacks that have waited, and the deletion of what is too old.',
  async run(quick) {
    const rounds = quick ? 1 : 9;
    const size = quick
      ? { few: 20, many: 200, requests: 20, payments: 4, turns: 2, old: 10 }
      : { few: 1000, many: 1_000_000, requests: 2000, payments: 300, turns: 50, old: 90 };
    return withCleanup(async (cleanup) => {
      const server = await newServer(cleanup);
      const load = startChild('load');
      cleanup.add(load.end);
      const payers = await startPayers(cleanup);
      const pay = ({ url }: Stored, prefix: string, count = size.payments) =>
        perSecond(payers.process, { url, method: 'pix', prefix, count, callers: CALLERS });
      const request = ({ url }: Stored, kind: string, prefix: string) =>
        perSecond(load, { kind, urls: [url], prefix, count: size.requests, connections: CONNECTIONS });
      const serviceWith = async (name: string, copies: number): Promise<Stored> => {
        const place = await server.newDatabase(name);
        const service = { ...(await startService(cleanup, place, payers.provider)), place };
        await pay(service, `first-${name}`, 1);
        await sleep(RECORDED_MS);
        await copy(place, copies);
        // Also makes the orders that are looked up.
        await request(service, 'create', 'known');
        await pay(service, `warm-${name}`);
        return service;
      };
      const both = { smaller: await serviceWith('few', size.few), larger: await serviceWith('many', size.many) };
      const asked = await inTurn(both, rounds, {
        'Sessions created': (at, round) => request(at, 'create', `round-${round}`),
        'Status lookups': (at) => request(at, 'status', 'known'),
        'Whole payments': (at, round) => pay(at, `paid-${round}-${at.url}`),
      });
      for (const { stop } of Object.values(both)) await stop();
      const process = startChild('upkeep');
      cleanup.add(process.end);
      const upkeep = (work: string, count: number) => {
        const { callbackUrl, ...provider } = payers.provider;
        return ({ place }: Stored, round: number) =>
          perSecond(process, { work, count, round, service: { ...place, provider, callbackUrl, port: 80 } });
      };
      const left = await inTurn(both, rounds, {
        'Turns of all claims': upkeep('claims', size.turns),
        'Callbacks that have waited': upkeep('callbacks', size.payments),
        'Payments that are too old': upkeep('retention', size.old),
      });
      return {
        rounds,
        rows: [...asked, ...left].map(({ what, smaller, larger }) => ({
          what: `${what}, ${size.many} stored payments`,
          unit: '1/s',
          value: spreadOf(larger),
          against: { what: `${size.few} stored`, value: spreadOf(smaller) },
          ratio: ratioOf(larger, smaller),
        })),
        notes: [
          'A stored payment has all its rows: session, payment, references, history, run, journal, notification, event, callbacks and their attempts.',
          'Too old: all settings of retention are the same, so that nearly all of a payment goes on one day. A copy’s request is sealed for another session: it is read, and not erased.',
          'That each statement reads few pages beside a million payments, those of claims, reconciliation and retention too, is held by a test (`packages/checkout/test/server/many-payments.test.ts`).',
        ],
      };
    });
  },
};

/** A service, and the database that stores the payments. */
interface Stored extends Pick<Service, 'url' | 'stop'> {
  readonly place: Place;
}

interface Measured {
  readonly what: string;
  readonly smaller: readonly number[];
  readonly larger: readonly number[];
}

/** How many a second of each kind of work, on both databases in turn; a round more than is counted comes first. */
async function inTurn(
  { smaller, larger }: { readonly smaller: Stored; readonly larger: Stored },
  rounds: number,
  work: Readonly<Record<string, (at: Stored, round: number) => Promise<number>>>,
): Promise<Measured[]> {
  const measured = Object.entries(work).map(([what, measure]) => {
    const found: { smaller: number[]; larger: number[] } = { smaller: [], larger: [] };
    return { what, measure, ...found };
  });
  for (let round = 0; round <= rounds; round += 1)
    for (const each of measured) {
      const [few, many] = [await each.measure(smaller, round), await each.measure(larger, round)];
      if (round === 0) continue;
      each.smaller.push(few);
      each.larger.push(many);
    }
  return measured;
}

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
