import {
  fromMinorUnits,
  type Money,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type ProviderEvent,
  refusedBy,
  timestampedHmac,
  withReason,
} from '@railyard/core';
import { factsAt } from '@railyard/core/formats';
import * as z from 'zod';
import * as acquirer from './acquirer-endpoints.ts';
import { sampleNotifications } from './acquirer.samples.ts';

const { POST_SETTLEMENT_EVENTS, REFUSALS, RESPONSES, settings, SOFT_CODES, SOURCE, statuses, TAKEN_BEFORE } = acquirer;

// Meaning of replies.

/** The names under which a payment or a modification was asked for. */
interface LookupKey {
  /** Ours. */
  readonly reference?: string;
  /** The acquirer's. */
  readonly id?: string | undefined;
}

export const namesOf = ({ id, reference }: acquirer.Result, asked: LookupKey) => [
  { asked: asked.id, said: id },
  { asked: asked.reference, said: reference },
];

/** Where the acquirer's facts stand, and the names that merchants read them by (protocol: Callback and status fields). */
const FACTS = {
  arn: 'arn',
  rrn: 'rrn',
  approval_code: 'approval_code',
  'issuer.bank': 'issuer_bank',
  'issuer.country': 'issuer_country',
  'three_d_secure.server_transaction_id': 'threeDSServerTransID',
  'three_d_secure.ds_transaction_id': 'dsTransID',
  'three_d_secure.acs_transaction_id': 'acsTransID',
  'three_d_secure.xid': 'xid',
  'three_d_secure.status': 'transStatus',
  'three_d_secure.status_reason': 'transStatusReason',
  'three_d_secure.eci': 'eci',
  'three_d_secure.version': 'protocolVersion',
  'three_d_secure.flow': 'authenticationFlow',
  'exchange.rate': 'exchange_rate',
  'exchange.base': 'exchange_rate_base',
  'exchange.currency': 'exchange_currency',
  'exchange.amount': 'exchange_amount',
} as const;

const amountOf = ({ amount, currency }: acquirer.Result): Money => fromMinorUnits(amount, currency);

/** A decline is as soft as its code, which says why to the payer. The merchant reads the code itself. */
function decline(outcome: Outcome, response: string | undefined): Outcome {
  if (outcome.status !== 'declined' || response === undefined) return outcome;
  const { kind, code } = outcome;
  return { ...outcome, kind: SOFT_CODES.has(response) ? 'soft' : kind, code: RESPONSES.get(response) ?? code };
}

/** The outcome of a payment or of a modification, under its own reference, with what later charges need. */
export function outcomeOf(result: acquirer.Result, asked: LookupKey = {}, agreement?: string): Outcome {
  const outcome = statuses.read({
    word: result.status,
    providerReference: result.id,
    amount: amountOf(result),
    code: result.response_code,
    message: result.response_message,
    agreement: agreement === undefined ? undefined : { agreement },
    facts: factsAt(FACTS, result),
  });
  return ofThisPayment(decline(outcome, result.response_code), namesOf(result, asked));
}

export const paymentOutcome = (payment: acquirer.Payment, asked?: LookupKey): Outcome =>
  outcomeOf(payment, asked, payment.agreement_id);

export const refusal = (problem: acquirer.Problem): Outcome =>
  withReason(refusedBy(problem, TAKEN_BEFORE), REFUSALS, problem.code);

type Modified =
  | { readonly reply: 'done' | 'declined'; readonly body: acquirer.Result }
  | { readonly reply: 'refused'; readonly body: acquirer.Problem };

export const modified = (answer: Modified, reference: string): Outcome =>
  answer.reply === 'refused' ? refusal(answer.body) : outcomeOf(answer.body, { reference });

/** The part of an event that names the payment. */
const about = ({ id, reference }: acquirer.Payment, eventId: string) => ({
  id: eventId,
  providerReference: id,
  ...(reference !== undefined && { merchantReference: reference }),
});

/** The events in a payment: the same from a lookup and from a notification. */
export function eventsOf(payment: acquirer.Payment): readonly ProviderEvent[] {
  const { id, status, cres } = payment;
  const event = { ...about(payment, `${id}/${status}`), provider: { status } };
  // The payer is back at the acquirer, whether or not the browser found its way to us.
  if (status === 'AUTHENTICATED' && cres !== undefined) return [{ ...event, kind: 'returned', values: { cres } }];
  const later = POST_SETTLEMENT_EVENTS.get(status);
  if (later === 'reported-elsewhere') return [];
  if (later === undefined) return [{ ...event, kind: 'payment', outcome: paymentOutcome(payment) }];
  if (later.kind === 'hold-expired') return [{ ...event, kind: later.kind }];
  return [{ ...event, ...later, amount: amountOf(payment) }];
}

const notifiedModification = acquirer.modification.extend({ type: z.enum(['capture', 'void', 'reversal', 'refund']) });
const KINDS = { capture: 'capture', void: 'void', reversal: 'void', refund: 'refund' } as const;

/** The event of a modification: when it is done, and when it fails, also after it was done. */
const modificationEvent = (
  payment: acquirer.Payment,
  modification: z.output<typeof notifiedModification>,
): ProviderEvent => ({
  ...about(payment, `${modification.id}/${modification.status}`),
  kind: KINDS[modification.type],
  provider: { status: modification.status },
  outcome: outcomeOf(modification),
});

export const notifications = notificationsFor(settings)({
  verify: timestampedHmac(({ webhook_secret }) => webhook_secret),
  codec: 'json',
  body: z.object({
    event_id: z.string().min(1),
    payment: acquirer.payment.extend({ reference: z.string() }),
    /** The capture, void, reversal or refund that the notification is about; absent: the payment itself. */
    action: notifiedModification.optional(),
    /** Sent a day later, when the schemes have cleared the payment. */
    clearing: z.object({ arn: z.string().min(1) }).optional(),
  }),
  events: ({ payment, action, clearing }) => {
    if (clearing !== undefined) return [{ ...about(payment, `${payment.id}/cleared`), kind: 'facts', facts: clearing }];
    return action === undefined ? eventsOf(payment) : [modificationEvent(payment, action)];
  },
  acknowledge: { status: 204 },
  examples: sampleNotifications.map((body) => ({ body, source: SOURCE })),
});
