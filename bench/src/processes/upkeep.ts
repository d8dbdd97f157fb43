// Run by itself: the work of a service that no request waits for, on the database of a service that has ended.
import { createLog } from '@railyard/checkout';
import * as z from 'zod';
import { createSealer } from '../../../packages/checkout/src/secrets/index.ts';
import { type Database, openDatabase } from '../../../packages/checkout/src/storage/index.ts';
import { RETENTION } from '../../../packages/checkout/src/storage/retention.ts';
import { cronJobsOf, pollersOf } from '../../../packages/checkout/src/work/queues.ts';
import { connectionOf } from '../../../packages/checkout/test/support/copied-payments.ts';
import { serviceContext } from '../../../packages/checkout/test/support/service-context.ts';
import { serveRequests } from './serve-requests.ts';
import { configOf, serviceSchema } from './service-config.ts';

const requestSchema = z.object({
  service: serviceSchema.required({ databaseUrl: true, encryptionKey: true }),
  work: z.enum(['claims', 'callbacks', 'retention']),
  /** Turns of all claims; callbacks; payments that grow too old. */
  count: z.int(),
  /** Counted from zero for each database. */
  round: z.int(),
});
type Request = z.output<typeof requestSchema>;

/** The line of the log about a callback that was sent. */
const sentSchema = z.object({ event: z.literal('callback'), result: z.string() });
/** The line of the log about the runs that were deleted. */
const retainedSchema = z.object({ event: z.literal('retention'), kind: z.literal('runs'), rows: z.int() });

const DAY_MS = 86_400_000;
/** Of every setting. */
const KEPT_DAYS = 150;

/** By address. They stay open: statements are planned once. */
const databases = new Map<string, Database>();

serveRequests(
  async (request) => {
    const asked = requestSchema.parse(request);
    const { databaseUrl: url } = asked.service;
    const database = databases.get(url) ?? (await openDatabase({ url, poolSize: 8 }));
    databases.set(url, database);
    return { seconds: await ways[asked.work](database, asked), failed: 0 };
  },
  async () => void (await Promise.all([...databases.values()].map((database) => database.close()))),
);

const ways: Readonly<Record<Request['work'], (database: Database, request: Request) => Promise<number>>> = {
  /** Nothing is due. */
  async claims(database, { service, count }) {
    const { pollers, close } = await workOn(database, service, Date.now);
    const seconds = await timed(async () => {
      for (let turn = 0; turn < count; turn += 1) for (const poller of pollers) await poller.poll();
    });
    await close();
    return seconds;
  },

  /** The newest, which are no copies: what is sealed in a copy does not open. */
  async callbacks(database, { service, count }) {
    const { rows } = await connectionOf(database.db).query(
      `UPDATE callbacks SET state = 'waiting', delivered_at = NULL, next_try_at = now()
        WHERE id IN (SELECT id FROM callbacks ORDER BY created_at DESC LIMIT $1::integer) RETURNING id`,
      [count],
    );
    let left = rows.length;
    if (left !== count) throw new Error(`${left} callbacks are stored, not ${count}.`);
    const { promise: delivered, end } = ending();
    const log = createLog({
      write(line) {
        const sent = sentSchema.safeParse(JSON.parse(line));
        if (!sent.success) return;
        left -= 1;
        if (sent.data.result !== 'delivered') end(new Error(`A callback was not delivered: ${line}`));
        else if (left === 0) end();
      },
    });
    const { pollers, close } = await workOn(database, service, Date.now, log);
    const seconds = await timed(async () => {
      await named(pollers, 'callbacks').poll();
      await delivered;
    });
    await close();
    return seconds;
  },

  /** Copies are a second apart. */
  async retention(database, { service, count, round }) {
    const { rows } = await connectionOf(database.db).query<{ oldest: Date }>(
      'SELECT min(closed_at) AS oldest FROM sessions',
    );
    const oldest = rows[0]?.oldest.getTime() ?? Number.NaN;
    const at = oldest + KEPT_DAYS * DAY_MS + count * (round + 1) * 1000 - 1;
    let runs = 0;
    const log = createLog({
      write(line) {
        const done = retainedSchema.safeParse(JSON.parse(line));
        if (done.success) runs += done.data.rows;
      },
    });
    const { tidy, close } = await workOn(database, service, () => at, log);
    const seconds = await timed(tidy);
    await close();
    // A payment has one run. It ends a moment after the session is paid, so one of them may fall into the next round.
    if (Math.abs(runs - count) > 1) throw new Error(`${runs} payments were too old, not ${count}.`);
    return seconds;
  },
};

/** Pollers that may be asked once, and the daily deletion, of a service at a time. */
async function workOn(
  database: Database,
  service: Request['service'],
  now: () => number,
  log = createLog({ write: () => undefined }),
) {
  const retention = Object.fromEntries(Object.keys(RETENTION).map((name) => [name, KEPT_DAYS]));
  const made = serviceContext(database.db, { ...(await configOf(service)), retention }, now);
  const context = { ...made.context, log, sealer: createSealer([Buffer.from(service.encryptionKey, 'base64')]) };
  const pollers = pollersOf(context).all;
  return {
    pollers,
    tidy: () => named(cronJobsOf(context, false), 'tidying').run(),
    async close() {
      for (const poller of pollers) await poller.stop();
      await made.close();
    },
  };
}

function named<T extends { readonly name: string }>(list: readonly T[], name: string): T {
  const found = list.find((each) => each.name === name);
  if (found === undefined) throw new Error(`Nothing is named ${name}.`);
  return found;
}

/** A promise, and what ends it: well, or with an error. */
function ending() {
  let end: (error?: Error) => void = () => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  return { promise, end };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}
