import {
  authorized,
  call,
  decimal,
  declined,
  defineConnector,
  defineMethod,
  providerApi,
  type FlowContext,
  type LookedUpModification,
  type LookedUpPayment,
  type Money,
  moneyOfMinor,
  notificationsFor,
  type OriginalPayment,
  type Outcome,
  pending,
  type PaymentInput,
  type PlainOperation,
  type ProviderEvent,
  settled,
  type StatusReport,
  statusTable,
  type Steps,
  unknown,
  withGivenBack,
} from '@railyard/core';
import * as z from 'zod';

const settings = z.object({ base_url: z.url() });
const { endpoint } = providerApi(settings, { source: 'a test' });

/** `text` is the provider's own, whatever it holds. */
const entry = z.object({
  id: z.string(),
  cents: z.int(),
  text: z.string(),
  /** What went back of it, as a lookup lists it. */
  backs: z.array(z.object({ id: z.string(), cents: z.int() })).default([]),
});
const problem = z.object({ code: z.string() });
const taken = { taken: { status: 200, body: entry }, used: { status: [409, 503], body: problem } } as const;
const found = { found: { status: 200, body: entry }, absent: { status: 404, body: problem } } as const;

interface Asked {
  readonly path: 'late' | 'unauthorized' | 'twice' | 'part' | 'panel' | 'hold';
  readonly reference: string;
  readonly amount: string;
}

const pay = endpoint({
  name: 'pay',
  method: 'POST',
  path: '/pays/{path}',
  repeat: 'keyed',
  request: ({ path, ...json }: Asked, { key }) => ({ params: { path }, headers: { 'idempotency-key': key }, json }),
  replies: taken,
});

const findPay = endpoint({
  name: 'find-pay',
  path: '/pays/{reference}',
  repeat: 'safe',
  request: (reference: string) => ({ params: { reference } }),
  replies: found,
});

const giveBack = endpoint({
  name: 'give-back',
  method: 'POST',
  path: '/backs',
  repeat: 'keyed',
  request: (json: { readonly id: string; readonly payment: string }, { key }) => ({
    headers: { 'idempotency-key': key },
    json,
  }),
  replies: taken,
});

const findBack = endpoint({
  name: 'find-back',
  path: '/backs/{id}',
  repeat: 'safe',
  request: (id: string) => ({ params: { id } }),
  replies: found,
});

const capture = endpoint({
  name: 'capture',
  method: 'POST',
  path: '/captures',
  repeat: 'keyed',
  request: (json: { readonly id: string; readonly payment: string }, { key }) => ({
    headers: { 'idempotency-key': key },
    json,
  }),
  replies: taken,
});

const findCapture = endpoint({
  name: 'find-capture',
  path: '/captures/{id}',
  repeat: 'safe',
  request: (id: string) => ({ params: { id } }),
  replies: found,
});

const told = z.object({ event: z.string(), id: z.string(), reference: z.string() });

type Taken =
  | { readonly reply: 'taken' | 'found'; readonly body: z.output<typeof entry> }
  | { readonly reply: 'used' | 'absent' };

/** As an author writes it who takes a refusal for a refusal, and knows that a lookup may lag. */
function outcomeOf(answer: Taken, end: typeof settled | typeof authorized = settled): Outcome {
  if (answer.reply === 'used') return declined('hard', 'declined_by_provider', { reason: 'The key is in use.' });
  if (answer.reply === 'absent') return unknown('The provider does not know it.');
  if (!('body' in answer)) throw new Error('An answer without a body.');
  const { id, cents, text } = answer.body;
  return end(id, moneyOfMinor(BigInt(cents), 'BRL'), { provider: { message: text } });
}

type Paid = FlowContext<unknown> & { readonly payment: PaymentInput<PlainOperation> };
type Acting = FlowContext<unknown> & { readonly payment: OriginalPayment; readonly id: string };

const flowsOf = (path: Asked['path']) => ({
  *purchase({ payment: { merchantReference: reference, amount } }: Paid): Steps<Outcome> {
    return outcomeOf(yield* call(pay, { path, reference, amount: decimal(amount) }));
  },
  *void({ payment, id }: Acting): Steps<Outcome> {
    return outcomeOf(yield* call(giveBack, { id, payment: payment.providerReference }));
  },
  refund: {
    partial: false,
    *flow({ payment, id }: Acting & { readonly amount: Money }): Steps<Outcome> {
      return outcomeOf(yield* call(giveBack, { id, payment: payment.providerReference }));
    },
  },
  *status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
    return outcomeOf(yield* call(findPay, payment.merchantReference));
  },
  *modificationStatus({ modification }: { readonly modification: LookedUpModification }): Steps<Outcome> {
    return outcomeOf(yield* call(findBack, modification.id));
  },
});

/** A payment whose lookup also says what the merchant gave back in the provider's panel. */
const panelFlows = {
  ...flowsOf('panel'),
  *status({ payment: { merchantReference: reference } }: { readonly payment: LookedUpPayment }): Steps<StatusReport> {
    const answer = yield* call(findPay, reference);
    const backs = answer.reply === 'found' ? answer.body.backs : [];
    return withGivenBack(
      outcomeOf(answer),
      reference,
      backs.map(({ id, cents }): ProviderEvent => {
        const outcome = settled(id, moneyOfMinor(BigInt(cents), 'BRL'));
        return { kind: 'refund', id, providerReference: reference, outcome };
      }),
    );
  },
};

/** A hold that the merchant captures whole. */
const holdFlows = {
  *purchase({ payment: { merchantReference: reference, amount } }: Paid): Steps<Outcome> {
    return outcomeOf(yield* call(pay, { path: 'hold', reference, amount: decimal(amount) }), authorized);
  },
  capture: {
    partial: false,
    *flow({ payment, id }: Acting & { readonly amount: Money }): Steps<Outcome> {
      return outcomeOf(yield* call(capture, { id, payment: payment.providerReference }));
    },
  },
  *status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
    return outcomeOf(yield* call(findPay, payment.merchantReference), authorized);
  },
  *modificationStatus({ modification }: { readonly modification: LookedUpModification }): Steps<Outcome> {
    return outcomeOf(yield* call(findCapture, modification.id));
  },
};

const methodOf = (key: string) =>
  defineMethod({
    key,
    title: key,
    operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
    currencies: ['BRL'],
  });

/** Test-only: a provider that refuses what it has seen, lags, acts late, approves a part, and proves nothing of what it notifies. */
export const hostileConnector = defineConnector({
  id: 'hostile',
  contract: 1,
  version: '1.0.0',
  title: 'Hostile',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [pay, findPay, giveBack, findBack, capture, findCapture],
  statuses: statusTable({ DONE: 'settled' }),
  serves: (serve) => [
    serve(methodOf('hostile-late'), flowsOf('late')),
    serve(methodOf('hostile-unauthorized'), flowsOf('unauthorized')),
    serve(methodOf('hostile-twice'), flowsOf('twice')),
    serve(methodOf('hostile-part'), flowsOf('part')),
    serve(methodOf('hostile-panel'), panelFlows),
    serve(methodOf('hostile-hold'), holdFlows),
  ],
  notifications: notificationsFor(settings)({
    verify: { scheme: 'unsigned', confirm: 'status' },
    codec: 'json',
    body: told,
    events: ({ event, id, reference }) => [
      { id: event, providerReference: id, merchantReference: reference, kind: 'payment', outcome: pending(id) },
    ],
  }),
});
