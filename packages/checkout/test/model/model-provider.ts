import type { HttpRequest, HttpResult, Transport } from '@railyard/runtime';
import * as z from 'zod';

/** What the provider does with one request. */
export const BEHAVIOURS = ['done', 'pending', 'refused', 'lost-before', 'lost-after', 'not-sent', 'garbled'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

export const ACT_KINDS = ['capture', 'refund', 'void', 'release'] as const;
type ActKind = (typeof ACT_KINDS)[number];
type Standing = 'done' | 'pending' | 'refused';

/** Money that the provider moved, or may move. */
export interface Charge {
  readonly tx: string;
  readonly reference: string;
  readonly amount: string;
  readonly held: boolean;
  state: Standing;
}

export interface Act {
  readonly tx: string;
  readonly id: string;
  readonly kind: ActKind;
  readonly payment: string;
  readonly amount: string | null;
  state: Standing;
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

/**
 * The provider of the model, without a network: it keeps the true ledger. A request under a key it knows has its first effect; one without a
 * key has a new effect each time, so that a repeat shows.
 */
export function modelProvider() {
  const charges: Charge[] = [];
  const acts: Act[] = [];
  const effects = new Map<string, Charge | Act>();
  const told: string[] = [];
  const plan: Behaviour[] = [];
  let count = 0;
  let faultless = false;

  const tell = (event: Readonly<Record<string, unknown>>) => told.push(JSON.stringify(event));
  const tellCharge = ({ tx, reference, amount, held, state }: Charge) =>
    tell({ event: `${tx}-${state}`, about: 'payment', payment: tx, ours: reference, amount, held, state });
  const tellAct = ({ tx, kind, payment, amount, state }: Act) => {
    if (kind === 'refund') tell({ event: `${tx}-${state}`, about: 'refund', payment, id: tx, amount, state });
  };

  const effectOf = <T extends Charge | Act>(key: string, make: (tx: string) => T): T | Charge | Act => {
    const known = effects.get(key);
    if (known !== undefined) return known;
    count += 1;
    const made = make(`tx-${count}`);
    effects.set(key, made);
    return made;
  };

  const take = (request: HttpRequest, state: Standing): Charge | Act => {
    const body: unknown = JSON.parse(request.body ?? '{}');
    const key = request.headers['idempotency-key'] ?? `once-${effects.size}`;
    if (request.url.includes('/pay')) {
      return effectOf(key, (tx) => {
        const charge = { ...paySchema.parse(body), tx, state };
        charges.push(charge);
        tellCharge(charge);
        return charge;
      });
    }
    return effectOf(key, (tx) => {
      const act = { ...actSchema.parse(body), tx, state };
      acts.push(act);
      tellAct(act);
      return act;
    });
  };

  const find = (request: HttpRequest): HttpResult => {
    const id = request.url.split('/').at(-1) ?? '';
    const found = request.url.includes('/pay')
      ? charges.find((each) => each.reference === id)
      : acts.find((each) => each.id === id);
    if (found === undefined) return reply(404, {});
    if (!('reference' in found)) return replyOf(found);
    const capture = acts.find((act) => act.kind === 'capture' && act.payment === found.tx && act.state === 'done');
    const { amount, held } = found;
    return reply(200, { id: found.tx, state: found.state, amount: capture?.amount ?? amount, held: held && !capture });
  };

  const transport = (point: Point): Transport => ({
    async send(request) {
      const behaviour = faultless ? 'done' : (plan.shift() ?? 'done');
      await point('before the provider');
      if (behaviour === 'not-sent') return { kind: 'not-sent', why: 'no connection' };
      if (behaviour === 'lost-before') return { kind: 'lost', why: 'reset' };
      const answer = request.method === 'GET' ? find(request) : replyOf(take(request, standingOf(behaviour)));
      await point('after the provider');
      if (behaviour === 'lost-after') return { kind: 'lost', why: 'time-out' };
      return behaviour === 'garbled' ? { ...reply(502, {}), body: '<html>' } : answer;
    },
  });

  return {
    charges,
    acts,
    /** Notifications not yet thrown away; each may be delivered any number of times, in any order. */
    told,
    transport,
    behave: (next: readonly Behaviour[]) => plan.splice(0, plan.length, ...next),
    /** The provider ends what it had accepted. */
    resolve(index: number, state: 'done' | 'refused') {
      const open = [...charges, ...acts].filter((each) => each.state === 'pending');
      const each = open[index % Math.max(open.length, 1)];
      if (each === undefined) return;
      each.state = state;
      if ('reference' in each) tellCharge(each);
      else tellAct(each);
    },
    /** News of the bank about money that was charged. */
    bankNews(index: number, about: 'chargeback' | 'reversal') {
      const money = charges.filter((each) => each.state === 'done');
      const each = money[index % Math.max(money.length, 1)];
      if (each !== undefined)
        tell({ event: `${each.tx}-${about}`, about, payment: each.tx, ours: each.reference, amount: each.amount });
    },
    /** From now on everything is answered, and nothing stays open. */
    endFaults() {
      faultless = true;
      for (const each of [...charges, ...acts]) if (each.state === 'pending') this.resolve(0, 'done');
    },
  };
}

export type ModelProvider = ReturnType<typeof modelProvider>;

const standingOf = (behaviour: Behaviour): Standing =>
  behaviour === 'pending' || behaviour === 'refused' ? behaviour : 'done';

const replyOf = ({ tx, state }: Charge | Act): HttpResult => reply(200, { id: tx, state });

function reply(status: number, json: unknown): Extract<HttpResult, { kind: 'reply' }> {
  return { kind: 'reply', status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
}
