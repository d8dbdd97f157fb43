import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  call,
  declined,
  providerApi,
  type FlowContext,
  type LookedUpModification,
  type Money,
  money,
  notificationsFor,
  type OriginalPayment,
  type Outcome,
  pending,
  settled,
  type Steps,
  unknown,
} from '@railyard/core';
import * as z from 'zod';

export const ACT_PATH = '/acts';
export const NOTIFY_TOKEN = 'test-notify-token';

const kinds = z.enum(['capture', 'refund', 'void', 'release']);
const actSchema = z.object({ kind: kinds, id: z.string(), payment: z.string(), amount: z.string().nullable() });
const replySchema = z.object({ id: z.string(), status: z.enum(['done', 'pending', 'refused']) });
type Reply = z.output<typeof replySchema>;

interface Act {
  readonly kind: z.output<typeof kinds>;
  readonly id: string;
  readonly payment: string;
  readonly amount: string | null;
}

/** Capture (`keyed`), refund (`once`, so that nothing but a lookup tells of a lost reply) and void (`keyed`), with their lookup. */
export function moneyActions<S extends z.ZodObject>(settings: S) {
  const { endpoint } = providerApi(settings, { source: 'a test' });
  const made = (name: string, repeat: 'keyed' | 'once') =>
    endpoint({
      name,
      method: 'POST',
      path: ACT_PATH,
      repeat,
      request: (act: Act) => ({ json: { ...act } }),
      reply: replySchema,
    });
  const keyed = made('act', 'keyed');
  const once = made('act-once', 'once');
  const find = endpoint({
    name: 'find-act',
    method: 'GET',
    path: `${ACT_PATH}/{id}`,
    repeat: 'safe',
    request: (id: string) => ({ params: { id } }),
    replies: { found: { status: 200, body: replySchema }, unknown: { status: 404, body: z.unknown() } },
  });

  type Context = FlowContext<unknown> & { readonly payment: OriginalPayment; readonly id: string };
  function* move(
    kind: 'capture' | 'refund',
    { payment, id, amount }: Context & { readonly amount: Money },
  ): Steps<Outcome> {
    const act = { kind, id, payment: payment.providerReference, amount: amount.text };
    return outcomeOf(yield* call(kind === 'refund' ? once : keyed, act), amount);
  }
  function* takeBack({ payment, id, held }: Context & { readonly held: boolean }): Steps<Outcome> {
    const amount = payment.amount === 'payer' ? money('1.00', payment.order.currency) : payment.amount;
    const kind = held ? 'release' : 'void';
    return outcomeOf(yield* call(keyed, { kind, id, payment: payment.providerReference, amount: null }), amount);
  }
  function* lookUp({ modification }: { readonly modification: LookedUpModification }): Steps<Outcome> {
    const found = yield* call(find, modification.id);
    return found.reply === 'found' ? outcomeOf(found.body, modification.amount) : unknown('not known there');
  }

  const told = z.object({
    event: z.string(),
    kind: z.string(),
    payment: z.string(),
    amount: z.string(),
    id: z.string(),
  });
  return {
    endpoints: [keyed, once, find],
    flows: {
      capture: { partial: true, flow: (context: Context & { readonly amount: Money }) => move('capture', context) },
      refund: { partial: true, flow: (context: Context & { readonly amount: Money }) => move('refund', context) },
      void: takeBack,
      modificationStatus: lookUp,
      pendingForHours: { refund: 240 },
    },
    notifications: notificationsFor(settings)({
      verify: { scheme: 'shared-secret', header: 'x-token', value: () => NOTIFY_TOKEN },
      codec: 'json',
      body: told,
      events: ({ event, kind, payment, amount: text, id }) => {
        const amount = money(text, 'BRL');
        if (kind === 'settled')
          return [{ id: event, kind: 'payment', providerReference: payment, outcome: settled(payment, amount) }];
        if (kind === 'refund') return [{ id: event, kind, providerReference: payment, outcome: settled(id, amount) }];
        return [
          { id: event, kind: kind === 'reversal' ? 'reversal' : 'chargeback', providerReference: payment, amount },
        ];
      },
    }),
  };
}

function outcomeOf({ id, status }: Reply, amount: Money): Outcome {
  if (status === 'pending') return pending(id);
  return status === 'done'
    ? settled(id, amount)
    : declined('hard', 'declined_by_provider', { reason: 'The provider refused.', providerReference: id });
}

export type Behaviour = Reply['status'] | 'lost-before' | 'lost-after';

/** The provider's side: `ledger` is what it did, `sent` every request, `behaves` what it does with the next ones. */
export function actProvider() {
  const ledger: Act[] = [];
  const sent: Act[] = [];
  const answers = new Map<string, Reply>();
  const state = {
    behaves: (_act: Act): Behaviour => 'done',
    /** Called when a request has had its effect and before it is answered; `false` leaves it unanswered. */
    beforeReply: (_act: Act): boolean | Promise<boolean> => true,
    /** Requests are held back until this is done. */
    gate: Promise.resolve(),
    /** How many requests came, those that are held back too. */
    arrived: 0,
    /** How often it was asked about an action. */
    looked: 0,
  };
  const answer = (response: ServerResponse, status: number, json: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(json));
  };
  const perform = async (act: Act, response: ServerResponse) => {
    sent.push(act);
    const behaviour = state.behaves(act);
    if (behaviour === 'lost-before') return response.destroy();
    const known = answers.get(act.id);
    const reply = known ?? { id: `act-${act.id}`, status: behaviour === 'lost-after' ? 'done' : behaviour };
    if (known === undefined && reply.status === 'done') ledger.push(act);
    answers.set(act.id, reply);
    if (behaviour === 'lost-after') return response.destroy();
    return (await state.beforeReply(act)) ? answer(response, 200, reply) : undefined;
  };
  return {
    ledger,
    sent,
    state,
    /** The provider ends what it had only accepted. */
    settle(id: string, status: 'done' | 'refused') {
      const act = sent.find((each) => each.id === id);
      if (act !== undefined && status === 'done') ledger.push(act);
      answers.set(id, { id: `act-${id}`, status });
    },
    handle(request: IncomingMessage, body: string, response: ServerResponse) {
      if (request.method === 'GET') {
        state.looked += 1;
        const found = answers.get(request.url?.split('/').at(-1) ?? '');
        return answer(response, found === undefined ? 404 : 200, found ?? {});
      }
      const act = actSchema.parse(JSON.parse(body));
      state.arrived += 1;
      void state.gate.then(() => perform(act, response));
    },
  };
}
