import { money } from '@railyard/core';
import type { ModificationName } from '@railyard/core/payment';
import * as fc from '../../../../test/support/properties.ts';
import { besideOf } from '../../src/http/page/state.ts';
import { loadSession } from '../../src/http/page/load-session.ts';
import { takeNotification } from '../../src/notifications/receive.ts';
import { modifyPayment } from '../../src/payments/modify.ts';
import { createWatch, LEASE_MS, pulse, PULSE_MS } from '../../src/payments/runs/lease.ts';
import { startPayment } from '../../src/payments/pay.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { MAX_POLLS } from '../../src/payments/change/plan.ts';
import { reconcile } from '../../src/work/upkeep.ts';
import { pollersOf } from '../../src/work/queues.ts';
import { sessionBody } from '../support/service.ts';
import { METHODS, NOTIFY_TOKEN } from './model-connector.ts';
import type { Told } from './model-provider.ts';
import { type Behaviour, BEHAVIOURS } from './model-replies.ts';
import { ACT_KINDS, type Trait, TRAITS } from './provider-behaviour.ts';
import type { World } from './model-world.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const JUMPS = [SECOND, 5 * SECOND, 65 * SECOND, 20 * 60 * SECOND, 2 * HOUR, 25 * HOUR] as const;
/** By which an operator, or a time server, sets a clock. */
const STEPS = [-HOUR, -5 * 60 * SECOND, 120 * SECOND, HOUR] as const;

/** The method that is used beside a code. */
const BESIDE = 'keyed';

/** Genuine notifications that are not about our payments: another system uses the account, or the provider sends a word or a currency that we do not know. */
const FOREIGN = ['another-system', 'unknown-word', 'nothing'] as const;

const any = fc.nat({ max: 50 });

const choose = <const K extends string, R extends object>(what: K, weight: number, rest: fc.Arbitrary<R>) => ({
  weight,
  arbitrary: rest.map((chosen) => ({ do: what, ...chosen })),
});

/** One thing that happens. Numbers choose among what there is at that moment. */
export const happening = fc.oneof(
  choose('buy', 4, fc.record({ method: any, auth: fc.boolean() })),
  // A second click, a second tab, a further attempt.
  choose('pay', 2, fc.record({ which: any })),
  // The payer has a code and pays another way all the same, as the page offers.
  choose('beside', 3, fc.record({ which: any })),
  choose(
    'act',
    4,
    fc.record({
      which: any,
      modification: fc.constantFrom(...ACT_KINDS),
      amount: fc.constantFrom('10.00', '4.00', '3.33', '6.67', undefined),
    }),
  ),
  choose('notify', 4, fc.record({ which: any, forged: fc.boolean() })),
  choose('foreign', 2, fc.record({ which: any, how: fc.constantFrom(...FOREIGN) })),
  choose('resolve', 2, fc.record({ which: any, to: fc.constantFrom('done', 'refused', 'partial') })),
  choose('bank', 1, fc.record({ which: any, news: fc.constantFrom('chargeback', 'reversal') })),
  // Money goes back that nothing here asked to give back.
  choose('give-back', 2, fc.record({ which: any, amount: fc.constantFrom('4.00', '6.67', undefined) })),
  // All that is due, or one kind before the others: in a real service they run side by side.
  choose(
    'work',
    8,
    fc.record({ after: fc.constantFrom(0, ...JUMPS), only: fc.option(any, { nil: undefined, freq: 3 }) }),
  ),
  // A request that was given up arrives, lookups catch up, a clock is set, and two days of lookups pass without an answer.
  choose('arrive', 2, fc.record({ which: any })),
  choose('catch-up', 1, fc.record({})),
  choose('clock', 1, fc.record({ by: fc.constantFrom(...STEPS) })),
  choose('tire', 1, fc.record({})),
  choose('receiver', 1, fc.record({ mood: fc.constantFrom('well', 'failing', 'lost') })),
);

export type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** What goes wrong meanwhile: how the provider behaves, how a clock is set during a request, and where the process is killed. */
export const trouble = fc.record({
  behaviours: fc.array(fc.constantFrom(...BEHAVIOURS), { maxLength: 3 }),
  traits: fc.subarray([...TRAITS]),
  clockBy: fc.option(fc.constantFrom(...STEPS), { nil: undefined, freq: 9 }),
  killAt: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined, freq: 2 }),
  alone: fc.boolean(),
});

type Drawn = typeof trouble extends fc.Arbitrary<infer T> ? T : never;
export type Trouble = Readonly<Omit<Drawn, 'behaviours' | 'traits'>> & {
  readonly behaviours: readonly Behaviour[];
  readonly traits: readonly Trait[];
};

export const NO_TROUBLE: Trouble = {
  behaviours: [],
  traits: [],
  clockBy: undefined,
  killAt: undefined,
  alone: false,
};

/** What the outside world knows of the service: page addresses and payment ids. */
export interface Known {
  readonly tokens: { readonly token: string; readonly method: string }[];
  /** The sessions that were paid another way beside a code. */
  readonly beside: Set<string>;
}

export async function happen(world: World, known: Known, what: Happening, trouble: Trouble) {
  const { provider } = world;
  provider.behave(trouble.behaviours, trouble.traits);
  switch (what.do) {
    case 'resolve':
      return provider.resolve(what.which, what.to);
    case 'bank':
      return provider.bankNews(what.which, what.news);
    case 'give-back':
      return provider.giveBack(what.which, what.amount);
    case 'arrive':
      return provider.arrive(what.which);
    case 'catch-up':
      return provider.catchUp();
    case 'clock':
      return world.step(what.by);
    case 'tire':
      return tire(world);
    case 'receiver':
      return world.receiverIs(what.mood);
    default:
      if (what.do === 'work') world.advance(what.after);
      await world.run((context) => disturbed(world, context, trouble, what, known), trouble.killAt, trouble.alone);
      provider.meanwhile(undefined);
  }
}

type InProcess = Exclude<
  Happening,
  { readonly do: 'resolve' | 'bank' | 'give-back' | 'receiver' | 'arrive' | 'catch-up' | 'clock' | 'tire' }
>;

/** While the first request is on its way, the clock may be set: the same process then looks for work, as it always does. */
async function disturbed(world: World, context: ServiceDeps, { clockBy }: Trouble, what: InProcess, known: Known) {
  const setClock = async (by: number) => {
    world.step(by);
    await work(context);
  };
  world.provider.meanwhile(clockBy === undefined ? undefined : () => setClock(clockBy));
  await inProcess(world, context, known, what);
}

async function inProcess(world: World, context: ServiceDeps, known: Known, what: InProcess): Promise<unknown> {
  switch (what.do) {
    case 'buy':
      await openSession(context, known, METHODS[what.method % METHODS.length] ?? 'once', what.auth);
      return pay(context, known, known.tokens.length - 1);
    case 'pay':
      return pay(context, known, what.which);
    case 'beside':
      return payBeside(context, known, what.which);
    case 'act':
      return actOn(context, what.which, what.modification, what.amount);
    case 'notify': {
      const { told } = world.provider;
      const news = told[what.which % Math.max(told.length, 1)];
      return news && notify(context, news, what.forged);
    }
    case 'foreign': {
      const { told } = world.provider;
      const news = told[what.which % Math.max(told.length, 1)];
      return news && notifyOfOthers(context, news, what.how);
    }
    case 'work':
      return work(context, what.only);
  }
}

async function openSession(context: ServiceDeps, known: Known, method: string, auth: boolean): Promise<void> {
  const body = sessionBody({ methods: [...new Set([method, BESIDE])], auth, session_expiry: 30 }, { currency: 'USD' });
  const answer = await createSession.handle(context, JSON.stringify(body));
  if (!('redirect_url' in answer.body)) throw new Error(JSON.stringify(answer.body));
  known.tokens.push({ token: answer.body.redirect_url.split('/').at(-1) ?? '', method });
}

async function pay(context: ServiceDeps, known: Known, which: number): Promise<void> {
  const page = known.tokens[which % Math.max(known.tokens.length, 1)];
  const loaded = page && (await loadSession(context, page.token));
  if (page === undefined || loaded === undefined) return;
  await startPayment(context, loaded.session, { methodKey: page.method, answers: {}, ip: undefined });
}

async function payBeside(context: ServiceDeps, known: Known, which: number): Promise<void> {
  const page = known.tokens[which % Math.max(known.tokens.length, 1)];
  const loaded = page && (await loadSession(context, page.token));
  if (loaded === undefined || besideOf(context, loaded) === undefined) return;
  known.beside.add(loaded.session.stored.id);
  const methodKey = loaded.session.routes.find(({ key }) => key !== loaded.payment?.methodAlias)?.key ?? '';
  await startPayment(context, loaded.session, { methodKey, answers: {}, ip: undefined, beside: true });
}

async function actOn(context: ServiceDeps, which: number, modification: ModificationName, text: string | undefined) {
  const payments = await context.db.selectFrom('payments').select('id').orderBy('createdAt').orderBy('id').execute();
  const payment = payments[which % Math.max(payments.length, 1)];
  if (payment === undefined) return;
  const amount = modification === 'capture' || modification === 'refund' ? text : undefined;
  await modifyPayment(context, payment.id, {
    modification,
    ...(amount !== undefined && { amount: money(amount, 'USD') }),
  });
}

async function notify(context: ServiceDeps, { mid: id, text: said }: Told, forged: boolean): Promise<void> {
  const mid = context.directory.mid(id);
  if (mid === undefined) return;
  // Who forges one would claim money that never came.
  const text = forged ? said.replaceAll(/"(pending|refused)"/g, '"done"') : said;
  const headers = { 'x-token': forged ? 'guessed' : NOTIFY_TOKEN };
  const answer = await takeNotification(context, mid, { body: text, headers });
  const isProven = mid.connector.notifications?.verify.scheme !== 'unsigned';
  if (forged && isProven && answer.status !== 401)
    throw new Error(`A forged notification was answered with ${answer.status}.`);
}

/** A provider stops its notifications where one is refused that is none of ours. */
async function notifyOfOthers(context: ServiceDeps, { mid: id, text }: Told, how: (typeof FOREIGN)[number]) {
  const mid = context.directory.mid(id);
  if (mid === undefined) return;
  const said: object = JSON.parse(text);
  const others = { event: 'of-others', payment: 'tx-of-others', ours: 'order-of-others', id: 'act-of-others' };
  const body = {
    'another-system': { ...said, ...others },
    'unknown-word': { ...said, state: 'invented', about: 'invented' },
    nothing: {},
  }[how];
  const answer = await takeNotification(context, mid, {
    body: JSON.stringify(body),
    headers: { 'x-token': NOTIFY_TOKEN },
  });
  if (answer.status >= 300) throw new Error(`A notification of others (${how}) was answered with ${answer.status}.`);
}

/** Two days pass in which every lookup is lost on its way but the last one. */
async function tire(world: World): Promise<void> {
  world.advance(42 * HOUR);
  const polls = MAX_POLLS - 1;
  await world.db.updateTable('payments').set({ polls }).where('state', '=', 'pending').execute();
  await world.db.updateTable('modifications').set({ polls }).where('state', 'in', ['pending', 'unknown']).execute();
}

/** A process finds those that are gone by looking at what they hold again and again, for longer than a lease. */
async function seeSilence(context: ServiceDeps): Promise<void> {
  if ((await context.stores.runs.held()).length === 0) return;
  let looked = 0;
  const watch = createWatch(() => looked);
  for (; looked <= LEASE_MS + PULSE_MS; looked += PULSE_MS) await pulse(context, watch);
}

/** What is due is done once: all of it, or one kind. */
async function work(context: ServiceDeps, only?: number): Promise<void> {
  await seeSilence(context);
  const rounds = pollersOf(context).all;
  const chosen = only === undefined ? rounds : rounds.slice(only % rounds.length).slice(0, 1);
  for (const round of chosen) {
    await round.poll();
    await round.stop();
  }
  if (only === undefined) await reconcile(context);
}

/**
 * No more trouble: time passes until nothing is left to do. What the provider then says by itself about payments that are over, and of
 * those it gave back, is heard; about the others it is asked.
 */
export async function comeToRest(world: World): Promise<void> {
  world.receiverIs('well');
  world.provider.behave([], []);
  world.provider.endFaults();
  await days(world, 3);
  await tire(world);
  await days(world, 1);
  const over = await world.db
    .selectFrom('payments')
    .select('providerReference')
    .where('state', 'in', ['expired', 'declined'])
    .execute();
  for (const news of world.provider.told)
    if (
      world.provider.hasGivenBack(news.payment) ||
      over.some(({ providerReference }) => providerReference === news.payment)
    )
      await world.run((context) => notify(context, news, false), undefined, false);
  await days(world, 3);
}

async function days(world: World, count: number): Promise<void> {
  for (let day = 0; day < count; day += 1) {
    world.advance(25 * HOUR);
    await world.run((context) => work(context), undefined, false);
  }
}
