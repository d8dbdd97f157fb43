import type { CheckoutConfig } from '../../src/index.ts';
import { createApp } from '../../src/http/app.ts';
import { createChanges } from '../../src/http/basics/server.ts';
import { serve } from '../../src/http/basics/server.ts';
import { createLog } from '../../src/log/log.ts';
import { openText, sealedAt } from '../../src/secrets/index.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import type { Db, Payment } from '../../src/storage/index.ts';
import { reconcile } from '../../src/work/upkeep.ts';
import { pollersOf } from '../../src/work/queues.ts';
import { serviceContext } from './service-context.ts';

/** Work may make further work due; more rounds at one moment than this would be a fault. */
const MAX_ROUNDS = 50;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * The service over HTTP on a clock of the test's own, whose background work is done when the test says so: weeks pass without waiting.
 *
 * @param configOn makes the configuration for the service's port; what refers to the port is not used here
 * @param before the process before this one: what it sealed is opened, and its time goes on
 */
export async function virtualService(
  db: Db,
  configOn: (port: number) => CheckoutConfig,
  start: string,
  before?: { readonly context: ServiceDeps; readonly now: () => number },
) {
  let at = before?.now() ?? Date.parse(start);
  const lines: string[] = [];
  const made = serviceContext(db, configOn(0), () => at);
  const sealer = before?.context.sealer ?? made.context.sealer;
  const context: ServiceDeps = { ...made.context, sealer, log: createLog({ write: (line) => lines.push(line) }) };
  const serving = await serve(createApp(context, createChanges()), { host: '127.0.0.1', port: 0 });

  const dueAt = async () => {
    const [first] = await db
      .selectFrom('payments')
      .select('pollAt')
      .where('pollAt', 'is not', null)
      .orderBy('pollAt')
      .limit(1)
      .execute();
    return first?.pollAt?.getTime();
  };
  /** Everything that is due now, until nothing is left to do. */
  const rounds = async () => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const said = lines.length;
      for (const each of pollersOf(context).all) {
        await each.poll();
        await each.stop();
      }
      const due = await dueAt();
      if (lines.length === said && (due === undefined || due > at)) return;
    }
    throw new Error(`There was still work after ${MAX_ROUNDS} rounds.`);
  };
  const work = async () => {
    await rounds();
    await reconcile(context);
    await rounds();
  };
  return {
    url: serving.url,
    context,
    now: () => at,
    work,
    /** Lets time pass, with the background work of that time done when it falls due; less than an hour is not reconciled. */
    async pass(ms: number) {
      const end = at + ms;
      let reconciled = at;
      for (;;) {
        await rounds();
        if (at - reconciled >= DAY) {
          await reconcile(context);
          reconciled = at;
        }
        const due = Math.min((await dueAt()) ?? end, reconciled + DAY);
        if (due >= end) break;
        at = Math.max(at, due);
      }
      at = end;
      await (ms < HOUR ? rounds() : work());
    },
    /** Moves the clock and does nothing. */
    jump(ms: number) {
      at += ms;
    },
    events: () => lines.map((line): { event?: string; finding?: string; detail?: string } => JSON.parse(line)),
    async find(id: string): Promise<Payment> {
      const payment = await context.stores.payments.find(id);
      if (payment === undefined) throw new Error(`There is no payment ${id}.`);
      return payment;
    },
    /** The fields of every callback of a payment, in order. */
    async told(id: string): Promise<Record<string, string>[]> {
      const callbacks = await context.stores.callbacks.ofPayment(id);
      return callbacks.map((each) =>
        Object.fromEntries(new URLSearchParams(openText(context.sealer, each.body, sealedAt.callbackBody(each.id)))),
      );
    },
    async close() {
      await serving.close(0);
      await made.close();
    },
  };
}

export type VirtualService = Awaited<ReturnType<typeof virtualService>>;

/** The three words of callbacks. */
export const wordsOf = (told: readonly Readonly<Record<string, string>>[]): string[] =>
  told.map(({ type, status, order_status }) => `${type} ${status} ${order_status}`);
