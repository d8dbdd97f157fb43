import { ACT_KINDS, type Act, type Charge, type Made, type Standing, type Trait } from './provider-behaviour.ts';
import type { HttpRequest, HttpResult, Transport } from '@railyard/runtime';
import * as z from 'zod';
import { type Behaviour, cents, misanswered, refusalOf, reply, replyOf, written } from './model-replies.ts';

/** A notification, and the account that it is sent to. */
export interface Told {
  readonly mid: string;
  readonly payment: string;
  readonly text: string;
}

const paySchema = z.object({ reference: z.string(), amount: z.string(), held: z.boolean() });
const actSchema = z.object({
  id: z.string(),
  kind: z.enum(ACT_KINDS),
  payment: z.string(),
  amount: z.string().nullable(),
});

/** Where a process may die around a request. */
export type Point = (where: string) => Promise<void>;

export const HINTS_URL = 'https://hints.example';
const WEEK = 7 * 24 * 3_600_000;
/** What is approved where it is less than was asked for. */
const PART = '6.00';

const isPay = ({ url }: HttpRequest) => url.includes('/pay');
const isHinted = ({ url }: HttpRequest) => url.startsWith(HINTS_URL);

/**
 * The provider of the model, without a network: it keeps the true ledger. A request under a key it knows, or a reference where it keeps those
 * unique, has its first effect; any other one has a new effect each time, so that a repeat shows.
 */
export function modelProvider(now: () => number) {
  const charges: Charge[] = [];
  const acts: Act[] = [];
  const effects = new Map<string, Charge | Act>();
  const underway: { readonly request: HttpRequest; readonly traits: readonly Trait[] }[] = [];
  const told: Told[] = [];
  const overlaps: string[] = [];
  const plan: Behaviour[] = [];
  let traits: readonly Trait[] = [];
  let count = 0;
  let faultless = false;
  let interlude: (() => Promise<void>) | undefined;

  const accounts = new Map<string, string>();
  /** Payments of which the provider gave back by itself, and those that a bank took back or asks for. */
  const givenBack = new Set<string>();
  const disputed = new Set<string>();
  const tell = (event: Readonly<Record<string, unknown>> & { readonly payment: string }, of: Made) => {
    const { payment } = event;
    told.push({ mid: accounts.get(payment) ?? 'main', payment, text: written(event, of) });
  };
  const tellCharge = (charge: Charge) => {
    const { tx, reference: ours, held, state } = charge;
    const amount = cents(charge.amount);
    tell({ event: `${tx}-${state}`, about: 'payment', payment: tx, ours, amount, held, state }, charge);
  };
  const tellAct = (act: Act) => {
    const { tx, kind, payment, amount, state } = act;
    if (kind === 'refund' && amount !== null)
      tell({ event: `${tx}-${state}`, about: 'refund', payment, id: tx, amount: cents(amount), state }, act);
  };
  const actsOn = (tx: string) => acts.filter(({ payment, state }) => payment === tx && state !== 'refused');
  const refundsOf = (tx: string) => actsOn(tx).filter(({ kind }) => kind === 'refund');
  /** Cents that can still be given back: nothing of a hold that was not captured, of what was taken back, or of what a bank asks for. */
  const leftOf = ({ tx, amount, held, state }: Charge): number => {
    const isOver = disputed.has(tx) || actsOn(tx).some(({ kind }) => kind === 'void' || kind === 'release');
    if (state !== 'done' || isOver) return 0;
    const captured = actsOn(tx).filter((each) => each.kind === 'capture' && each.state === 'done');
    const came = held ? sumOf(captured) : cents(amount);
    return came - sumOf(refundsOf(tx));
  };

  const made = (state: Standing, of: readonly Trait[]): Made => {
    count += 1;
    return { tx: `tx-${count}`, traits: of, state, isShown: faultless || !of.includes('lags') };
  };

  const charge = (request: HttpRequest, behaviour: Behaviour, of: readonly Trait[]): Charge => {
    const { amount: asked, ...rest } = paySchema.parse(JSON.parse(request.body ?? '{}'));
    const amount = behaviour === 'partial' ? PART : asked;
    const payableUntil = isHinted(request) ? now() + WEEK : undefined;
    const next = { ...made(standingOf(behaviour), of), ...rest, asked, amount, payableUntil };
    accounts.set(next.tx, isHinted(request) ? 'hints' : 'main');
    charges.push(next);
    tellCharge(next);
    return next;
  };
  /** Whether what was given back meanwhile leaves room for it. */
  const isPossible = ({ kind, payment, amount }: z.output<typeof actSchema>): boolean => {
    const given = givenBack.has(payment) && charges.find(({ tx }) => tx === payment);
    if (!given) return true;
    return kind === 'refund' ? cents(amount ?? '0.00') <= leftOf(given) : kind === 'capture';
  };
  const act = (request: HttpRequest, behaviour: Behaviour, of: readonly Trait[]): Act => {
    const asked = actSchema.parse(JSON.parse(request.body ?? '{}'));
    const state = isPossible(asked) ? standingOf(behaviour) : 'refused';
    const next = { ...made(state, of), ...asked };
    acts.push(next);
    tellAct(next);
    return next;
  };

  const take = (request: HttpRequest, behaviour: Behaviour, of: readonly Trait[]): HttpResult => {
    const key = keyOf(request);
    const known = key === undefined ? undefined : effects.get(key);
    const busy = underway.find((each) => key !== undefined && keyOf(each.request) === key);
    const refusal = refusalOf((known ?? busy)?.traits ?? []);
    if (refusal !== undefined) return refusal;
    const effect = known ?? (isPay(request) ? charge : act)(request, behaviour, of);
    if (key !== undefined) effects.set(key, effect);
    return replyOf(effect);
  };

  const find = (request: HttpRequest): HttpResult => {
    const id = request.url.split('/').at(-1) ?? '';
    const found = isPay(request) ? charges.find((each) => each.reference === id) : acts.find((each) => each.id === id);
    if (found === undefined || !found.isShown) return reply(404, {});
    if (!('reference' in found)) return replyOf(found);
    const capture = acts.find((each) => each.kind === 'capture' && each.payment === found.tx && each.state === 'done');
    const back = refundsOf(found.tx)
      .filter(({ isShown }) => isShown)
      .map(({ tx, state, amount }) => ({ id: tx, state, amount: cents(amount ?? '0.00') }));
    const taken = capture === undefined ? {} : { amount: capture.amount ?? found.amount, held: false };
    return replyOf(found, { ...taken, back });
  };

  const respond = async (request: HttpRequest, point: Point): Promise<HttpResult> => {
    const behaviour = faultless ? 'done' : (plan.shift() ?? 'done');
    const of = faultless ? [] : traits;
    await point('before the provider');
    if (behaviour === 'not-sent') return { kind: 'not-sent', why: 'no connection' };
    const meanwhile = interlude;
    interlude = undefined;
    await meanwhile?.();
    if (behaviour === 'late' && request.method !== 'GET') underway.push({ request, traits: of });
    if (behaviour === 'lost-before' || behaviour === 'late') return { kind: 'lost', why: 'time-out' };
    const answer = request.method === 'GET' ? find(request) : take(request, behaviour, of);
    await point('after the provider');
    if (behaviour === 'lost-after') return { kind: 'lost', why: 'time-out' };
    return misanswered(behaviour, answer);
  };

  /** Of one process: what it has sent and has no answer to, it does not send again. */
  const transport = (point: Point): Transport => {
    const sending = new Set<string>();
    return {
      async send(request) {
        if (request.method === 'GET') return respond(request, point);
        const name = nameOf(request);
        if (sending.has(name)) overlaps.push(name);
        sending.add(name);
        const result = await respond(request, point);
        sending.delete(name);
        return result;
      },
    };
  };

  return {
    charges,
    acts,
    /** Every notification; each may be delivered any number of times, in any order. */
    told,
    /** Payments and acts that a process sent while it still waited for the answer to them. */
    overlaps,
    transport,
    /** How the next requests are treated, and what stays with what they make. */
    behave(next: readonly Behaviour[], of: readonly Trait[]) {
      plan.splice(0, plan.length, ...next);
      traits = of;
    },
    /** What happens while the next request is on its way, once. */
    meanwhile(what: (() => Promise<void>) | undefined) {
      interlude = what;
    },
    /** A request that was given up arrives. */
    arrive(index: number) {
      const [each] = underway.splice(index % Math.max(underway.length, 1), 1);
      if (each !== undefined) take(each.request, 'done', each.traits);
    },
    /** Lookups show what there is. */
    catchUp() {
      for (const each of [...charges, ...acts]) each.isShown = true;
    },
    /** The provider ends what it had accepted; a payment perhaps for less. */
    resolve(index: number, to: 'done' | 'refused' | 'partial') {
      const open = [...charges, ...acts].filter((each) => each.state === 'pending');
      const each = open[index % Math.max(open.length, 1)];
      if (each === undefined) return;
      each.state = standingOf(to);
      if (!('reference' in each)) return tellAct(each);
      if (to === 'partial') each.amount = PART;
      tellCharge(each);
    },
    /** The merchant refunds in the provider's panel: nothing here asked for it. All that is left, unless less is given. */
    giveBack(index: number, asked: string | undefined) {
      const whole = charges.filter((each) => each.amount === each.asked && leftOf(each) > 0);
      const each = whole[index % Math.max(whole.length, 1)];
      if (each === undefined) return;
      const left = leftOf(each);
      const amount = (Math.min(left, asked === undefined ? left : cents(asked)) / 100).toFixed(2);
      const next: Act = { ...made('done', each.traits), id: 'of the panel', kind: 'refund', payment: each.tx, amount };
      givenBack.add(each.tx);
      acts.push(next);
      tellAct(next);
    },
    /** News of the bank about money that was charged. */
    bankNews(index: number, about: 'chargeback' | 'reversal') {
      const money = charges.filter(
        (each) => each.state === 'done' && each.amount === each.asked && !givenBack.has(each.tx),
      );
      const each = money[index % Math.max(money.length, 1)];
      if (each === undefined) return;
      const { tx, reference: ours, amount } = each;
      disputed.add(tx);
      tell({ event: `${tx}-${about}`, about, payment: tx, ours, amount: cents(amount) }, each);
    },
    /** Whether money of a payment went back that nothing here asked for. */
    hasGivenBack: (payment: string): boolean => givenBack.has(payment),
    /** Our references for which the provider has money that was not given back, is about to take it, or lets the payer still pay. */
    withMoney(): readonly string[] {
      const isBack = ({ tx, amount }: Charge) => {
        const done = acts.filter((each) => each.payment === tx && each.state === 'done');
        const refunded = sumOf(done.filter(({ kind }) => kind === 'refund'));
        return done.some(({ kind }) => kind === 'void' || kind === 'release') || refunded === cents(amount);
      };
      const isThere = (each: Charge) =>
        each.state === 'done' ? !isBack(each) : each.state === 'pending' && now() < (each.payableUntil ?? 0);
      const coming = underway
        .filter(({ request }) => isPay(request) && !effects.has(keyOf(request) ?? ''))
        .map(({ request }) => paySchema.parse(JSON.parse(request.body ?? '{}')).reference);
      return [...coming, ...charges.filter(isThere).map(({ reference }) => reference)];
    },
    /** From now on everything is answered, what was late arrives, and nothing stays open. */
    endFaults() {
      faultless = true;
      while (underway.length > 0) this.arrive(0);
      this.catchUp();
      for (const each of [...charges, ...acts]) if (each.state === 'pending') this.resolve(0, 'done');
    },
  };
}

export type ModelProvider = ReturnType<typeof modelProvider>;

/** What a second request must not have in common with the first, if it is to have an effect of its own. */
function keyOf({ url, headers, body = '{}' }: HttpRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key !== undefined) return `key ${key}`;
  return url.includes('/pay/unique') ? `reference ${paySchema.parse(JSON.parse(body)).reference}` : undefined;
}

const namedSchema = z.union([z.object({ reference: z.string() }), z.object({ id: z.string() })]);

function nameOf({ body = '{}' }: HttpRequest): string {
  const named = namedSchema.parse(JSON.parse(body));
  return 'reference' in named ? named.reference : named.id;
}

const sumOf = (acts: readonly Act[]): number => acts.reduce((sum, { amount }) => sum + cents(amount ?? '0.00'), 0);

const standingOf = (behaviour: Behaviour): Standing =>
  behaviour === 'pending' || behaviour === 'refused' ? behaviour : 'done';
