import {
  authorized,
  call,
  declined,
  defineConnector,
  defineMethod,
  endpointsFor,
  type FlowContext,
  type LookedUpAction,
  type LookedUpPayment,
  type Money,
  money,
  notificationsFor,
  type OriginalPayment,
  type Outcome,
  pending,
  type PaymentInput,
  type PlainOperation,
  settled,
  type Steps,
} from '@railyard/core';
import * as z from 'zod';

export const NOTIFY_TOKEN = 'model-notify-token';
const CURRENCY = 'USD';

const settings = z.object({ base_url: z.url() });
const endpoint = endpointsFor(settings);
/** `held` and `amount` stand in what is looked up: a hold that was captured is none any more. */
const body = z.object({
  id: z.string(),
  state: z.enum(['done', 'pending', 'refused']),
  held: z.boolean().optional(),
  amount: z.string().optional(),
});
const found = { found: { status: 200, body }, absent: { status: 404, body: z.unknown() } } as const;

interface Pay {
  readonly reference: string;
  readonly amount: string;
  readonly held: boolean;
}

const findPay = endpoint({
  name: 'find-pay',
  method: 'GET',
  path: '/pay/{reference}',
  repeat: 'safe',
  request: (reference: string) => ({ params: { reference } }),
  replies: found,
});

const payOnce = endpoint({
  name: 'pay-once',
  method: 'POST',
  path: '/pay',
  repeat: 'once',
  request: (input: Pay) => ({ json: { ...input } }),
  reply: body,
});

const payKeyed = endpoint({
  name: 'pay-keyed',
  method: 'POST',
  path: '/pay',
  repeat: 'keyed',
  request: (input: Pay, { key }) => ({ headers: { 'idempotency-key': key }, json: { ...input } }),
  reply: body,
});

const payFound = endpoint({
  name: 'pay-found',
  method: 'POST',
  path: '/pay',
  repeat: 'by-reference',
  request: (input: Pay) => ({ json: { ...input } }),
  reply: body,
  find: {
    endpoint: findPay,
    input: ({ reference }) => reference,
    read: (answer) => (answer.reply === 'found' ? { found: answer.body } : 'absent'),
  },
});

interface Act {
  readonly kind: string;
  readonly id: string;
  readonly payment: string;
  readonly amount: string | null;
}

const actKeyed = endpoint({
  name: 'act-keyed',
  method: 'POST',
  path: '/acts',
  repeat: 'keyed',
  request: (input: Act, { key }) => ({ headers: { 'idempotency-key': key }, json: { ...input } }),
  reply: body,
});

const actOnce = endpoint({
  name: 'act-once',
  method: 'POST',
  path: '/acts',
  repeat: 'once',
  request: (input: Act) => ({ json: { ...input } }),
  reply: body,
});

const findAct = endpoint({
  name: 'find-act',
  method: 'GET',
  path: '/acts/{id}',
  repeat: 'safe',
  request: (id: string) => ({ params: { id } }),
  replies: found,
});

type Body = z.output<typeof body>;

function outcomeOf({ id, state }: Body, amount: Money, held = false): Outcome {
  if (state === 'pending') return pending(id);
  if (state === 'refused') return declined('soft', 'Declined by processing.', { reference: id });
  return (held ? authorized : settled)(id, amount);
}

type Paid = FlowContext<unknown> & { readonly payment: PaymentInput<PlainOperation> };
type PayEndpoint = typeof payOnce | typeof payKeyed | typeof payFound;

/** The kinds of repeat, each a method of its own. */
const PAYS = { once: payOnce, keyed: payKeyed, found: payFound } as const;
export const METHODS = ['once', 'keyed', 'found'] as const;

function payWith(pay: PayEndpoint) {
  return function* ({ payment }: Paid): Steps<Outcome> {
    const { reference, amount, auth } = payment;
    const answer = yield* call(pay, { reference, amount: amount.text, held: auth });
    return outcomeOf(answer, amount, auth);
  };
}

/** The provider says that it never saw it: nothing was moved, and nothing will be. */
const absent = () => declined('hard', 'It never arrived.');

function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const answer = yield* call(findPay, payment.reference);
  if (answer.reply === 'absent') return absent();
  const { amount = '0.00', held } = answer.body;
  return outcomeOf(answer.body, money(amount, CURRENCY), held);
}

type Acting = FlowContext<unknown> & { readonly payment: OriginalPayment; readonly id: string };
type Moving = Acting & { readonly amount: Money };

function* capture({ payment, id, amount }: Moving): Steps<Outcome> {
  const act = { kind: 'capture', id, payment: payment.providerReference, amount: amount.text };
  return outcomeOf(yield* call(actKeyed, act), amount);
}

function* refund({ payment, id, amount }: Moving): Steps<Outcome> {
  const act = { kind: 'refund', id, payment: payment.providerReference, amount: amount.text };
  return outcomeOf(yield* call(actOnce, act), amount);
}

function* takeBack({ payment, id, held }: Acting & { readonly held: boolean }): Steps<Outcome> {
  const kind = held ? 'release' : 'void';
  const act = { kind, id, payment: payment.providerReference, amount: null };
  if (payment.amount === 'payer') throw new Error('The model has no open amounts.');
  return outcomeOf(yield* call(actKeyed, act), payment.amount);
}

function* actionStatus({ action }: { readonly action: LookedUpAction }): Steps<Outcome> {
  const answer = yield* call(findAct, action.id);
  return answer.reply === 'absent' ? absent() : outcomeOf(answer.body, action.amount);
}

const told = z.object({
  event: z.string(),
  about: z.enum(['payment', 'refund', 'chargeback', 'reversal']),
  payment: z.string(),
  ours: z.string().optional(),
  id: z.string().optional(),
  amount: z.string(),
  held: z.boolean().optional(),
  state: body.shape.state.optional(),
});

/** A provider whose calls repeat in each of the ways that the contract knows, with all actions, lookups and notifications. */
export const modelConnector = defineConnector({
  id: 'model',
  contract: 1,
  version: '1.0.0',
  title: 'Model',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [payOnce, payKeyed, payFound, findPay, actKeyed, actOnce, findAct],
  statuses: { rows: {}, read: () => ({ status: 'unknown', why: 'not used' }) },
  serves: (serve) =>
    METHODS.map((key) =>
      serve(
        defineMethod({
          key,
          title: key,
          operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
        }),
        {
          purchase: payWith(PAYS[key]),
          capture: { partial: true, flow: capture },
          refund: { partial: true, flow: refund },
          void: takeBack,
          status,
          actionStatus,
        },
      ),
    ),
  notifications: notificationsFor(settings)({
    verify: { scheme: 'shared-secret', header: 'x-token', value: () => NOTIFY_TOKEN },
    codec: 'json',
    body: told,
    events: ({ event, about, payment, ours, id, amount: text, held, state }) => {
      const amount = money(text, CURRENCY);
      const base = { id: event, reference: payment, ...(ours !== undefined && { ours }) };
      if (about === 'chargeback' || about === 'reversal') return [{ ...base, kind: about, amount }];
      if (about === 'refund')
        return [{ ...base, kind: about, outcome: outcomeOf({ id: id ?? '', state: state ?? 'pending' }, amount) }];
      return [{ ...base, kind: about, outcome: outcomeOf({ id: payment, state: state ?? 'pending' }, amount, held) }];
    },
  }),
});
