import {
  authorized,
  call,
  declined,
  defineConnector,
  defineMethod,
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
  qr,
  settled,
  type StatusReport,
  statusTable,
  type Steps,
  unknown,
  withGivenBack,
} from '@railyard/core';
import type { NotificationVerification } from '@railyard/core/driver';
import * as z from 'zod';
import {
  actKeyed,
  actOnce,
  type ActRequest,
  body,
  type Body,
  endpoints,
  findAct,
  findPay,
  payFound,
  payKeyed,
  payOnce,
  settings,
} from './model-endpoints.ts';

export const NOTIFY_TOKEN = 'model-notify-token';
const CURRENCY = 'USD';
const WEEK = 7 * 24 * 3_600_000;

const usd = (cents: number): Money => moneyOfMinor(BigInt(cents), CURRENCY);

/**
 * What the provider says is what is there: less than was asked for, where it approved a part.
 *
 * @param validUntil the end of a code, by our own clock: the provider's may be hours off
 */
function outcomeOf({ id, state, held, amount: approved, text }: Body, asked: Money, validUntil?: string): Outcome {
  const extra = text === undefined ? {} : { provider: { message: text } };
  if (state === 'pending')
    return pending(id, validUntil === undefined ? undefined : qr({ content: id, validUntil }), extra);
  if (state === 'refused')
    return declined('soft', 'card_declined', {
      reason: `Declined: ${text ?? 'by processing'}.`,
      providerReference: id,
      ...extra,
    });
  return (held ? authorized : settled)(id, approved === undefined ? asked : usd(approved), extra);
}

type Taken = { readonly reply: 'taken'; readonly body: Body } | { readonly reply: 'used' };

/** A connector's author reads "used" as a refusal: that it may be an echo of an earlier send is not for the author to know. */
const taken = (answer: Taken, asked: Money, held = false, validUntil?: string): Outcome =>
  answer.reply === 'used'
    ? declined('hard', 'declined_by_provider', { reason: 'Already used.' })
    : outcomeOf({ held, ...answer.body }, asked, validUntil);

type Paid = FlowContext<unknown> & { readonly payment: PaymentInput<PlainOperation> };
type PayEndpoint = typeof payOnce | typeof payKeyed | typeof payFound;

/** The kinds of repeat, each a method of its own. */
const PAYS = { once: payOnce, keyed: payKeyed, found: payFound, hinted: payKeyed } as const;
export type MethodKey = keyof typeof PAYS;
/** Those of the provider with signed notifications. */
export const SIGNED = ['once', 'keyed', 'found'] as const;
/** That of the provider whose notifications anyone could send. Its codes can be paid for a week. */
export const UNSIGNED = ['hinted'] as const;
export const METHODS = [...SIGNED, ...UNSIGNED] as const;

function payWith(pay: PayEndpoint) {
  return function* ({ payment, now }: Paid): Steps<Outcome> {
    const { merchantReference: reference, amount, auth } = payment;
    const answer = yield* call(pay, { reference, amount: amount.text, held: auth });
    const isCode = answer.reply === 'taken' && answer.body.validUntil !== undefined;
    return taken(answer, amount, auth, isCode ? new Date(Date.parse(now) + WEEK).toISOString() : undefined);
  };
}

/** That the provider does not know it yet proves nothing: its lookup may lag, and the request may be on its way. */
const absent = () => unknown('The provider does not know it.');

function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<StatusReport> {
  const answer = yield* call(findPay, payment.merchantReference);
  if (answer.reply === 'absent') return absent();
  const { id, back = [] } = answer.body;
  return withGivenBack(
    outcomeOf(answer.body, usd(0)),
    payment.merchantReference,
    back.map((each) => refunded(id, each, usd(each.amount))),
  );
}

/** A refund of ours, or one that was made at the provider. */
const refunded = (payment: string, said: Pick<Body, 'id' | 'state' | 'text'>, amount: Money): ProviderEvent => ({
  kind: 'refund',
  id: `${said.id}-${said.state}`,
  providerReference: payment,
  outcome: outcomeOf(said, amount),
});

type Acting = FlowContext<unknown> & { readonly payment: OriginalPayment; readonly id: string };
type Moving = Acting & { readonly amount: Money };

function* capture({ payment, id, amount }: Moving): Steps<Outcome> {
  const act = { kind: 'capture', id, payment: payment.providerReference, amount: amount.text };
  return taken(yield* call(actKeyed, act), amount);
}

/** Some providers keep keys for refunds, others do not. */
function refundWith(endpoint: typeof actOnce | typeof actKeyed) {
  return function* ({ payment, id, amount }: Moving): Steps<Outcome> {
    const act = { kind: 'refund', id, payment: payment.providerReference, amount: amount.text };
    return taken(yield* call(endpoint, act), amount);
  };
}

function* takeBack({ payment, id, held }: Acting & { readonly held: boolean }): Steps<Outcome> {
  const act: ActRequest = { kind: held ? 'release' : 'void', id, payment: payment.providerReference, amount: null };
  if (payment.amount === 'payer') throw new Error('The model has no open amounts.');
  return taken(yield* call(actKeyed, act), payment.amount);
}

function* modificationStatus({ modification }: { readonly modification: LookedUpModification }): Steps<Outcome> {
  const answer = yield* call(findAct, modification.id);
  return answer.reply === 'absent' ? absent() : outcomeOf(answer.body, modification.amount);
}

const told = z.object({
  event: z.string(),
  about: z.enum(['payment', 'refund', 'chargeback', 'reversal']),
  payment: z.string(),
  ours: z.string().optional(),
  id: z.string().optional(),
  amount: z.int(),
  held: z.boolean().optional(),
  state: body.shape.state.optional(),
  text: z.string().optional(),
});

function modelOf(
  id: string,
  methods: readonly MethodKey[],
  verify: NotificationVerification<z.output<typeof settings>>,
) {
  return defineConnector({
    id,
    contract: 1,
    version: '1.0.0',
    title: 'Model',
    settings,
    baseUrl: ({ base_url }) => base_url,
    endpoints,
    statuses: statusTable({}),
    serves: (serve) =>
      methods.map((key) =>
        serve(
          defineMethod({
            key,
            title: key,
            operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
          }),
          {
            purchase: payWith(PAYS[key]),
            capture: { partial: true, flow: capture },
            refund: { partial: true, flow: refundWith(key === 'once' ? actOnce : actKeyed) },
            void: takeBack,
            status,
            modificationStatus: modificationStatus,
          },
        ),
      ),
    notifications: notificationsFor(settings)({
      verify,
      codec: 'json',
      body: told,
      events: ({ event, about, payment, ours, id: act, amount: cents, held, state = 'pending', text: said }) => {
        const amount = usd(cents);
        const base = { id: event, providerReference: payment, ...(ours !== undefined && { merchantReference: ours }) };
        if (about === 'chargeback' || about === 'reversal') return [{ ...base, kind: about, amount }];
        const words = { state, ...(said !== undefined && { text: said }) };
        if (about === 'refund') return [refunded(payment, { id: act ?? '', ...words }, amount)];
        return [{ ...base, kind: about, outcome: outcomeOf({ id: payment, held, ...words }, amount) }];
      },
    }),
  });
}

/** A provider whose calls repeat in each of the ways that the contract knows, with all actions, lookups and notifications. */
export const modelConnector = modelOf('model', SIGNED, {
  scheme: 'shared-secret',
  header: 'x-token',
  value: () => NOTIFY_TOKEN,
});

/** The same with notifications that prove nothing. */
export const hintsConnector = modelOf('model-hints', UNSIGNED, { scheme: 'unsigned', confirm: 'status' });
