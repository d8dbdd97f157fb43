import type { PaymentFacts } from '@railyard/core';
import type { PayerBrowser } from '@railyard/core/driver';
import { type CallbackWords, EXCHANGE_FIELDS, type ModificationName } from '@railyard/core/payment';
import type { SessionRequest } from '@railyard/core/protocol';
import { callbackHash } from '../../sessions/callback-hash.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { MandateTokens } from '../../payments/state/mandate.ts';
import { type CallbackRoute, type ProviderWords, type StoredCardUse, switchedOn } from './optional-fields.ts';

/** Everything that a callback reports, its three words included. */
export interface CallbackFacts {
  readonly paymentId: string;
  readonly session: OpenSession;
  readonly words: CallbackWords;
  /** Why it failed, in words. */
  readonly reason: string | undefined;
  /** The amount received, where the payer chose it. */
  readonly receivedText: string | undefined;
  /** The amount that the provider approved, where it is less than the payment's. */
  readonly approvedText?: string | undefined;
  readonly payerIp: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly route: CallbackRoute;
  /** The provider's own words, as far as it has said any. */
  readonly provider?: ProviderWords;
  /** Where the payer sends a crypto payment to, as the payer is shown it. */
  readonly crypto?: { readonly address: string; readonly network?: string };
  /** The payer's, where a field of it is switched on. */
  readonly browser?: PayerBrowser | undefined;
  readonly cardUse?: StoredCardUse | undefined;
  /** Those that the provider has reported of the transaction that the callback is about. */
  readonly facts?: PaymentFacts;
  readonly card?: CallbackCard | undefined;
  /** How to charge again. */
  readonly mandate?: MandateTokens | undefined;
  /** The day of the first charge of the schedule that follows this payment. */
  readonly firstRecurringDate?: string | undefined;
  /** `true`: a charge was declined in such a way that its schedule charges this payer no more. */
  readonly isSchedulePaused?: boolean;
  /** The modification on the payment that the callback is about, if any. */
  readonly modification?: { readonly kind: ModificationName; readonly amount: string };
}

/** The card that was used, as the callback reports it. */
export interface CallbackCard {
  /** `411111******1111` */
  readonly card: string;
  /** `MM/YYYY`; absent of a payout that named the number alone. */
  readonly card_expiration_date?: string;
  /** The saved card's, where this callback reports it. */
  readonly card_token: string | undefined;
  /** The card that was paid to, masked. */
  readonly payee_card: string | undefined;
}

/** A field of a callback; an object only for `custom_data` and `extended_data`. */
export type CallbackField = readonly [name: string, value: unknown];

const MAX_REASON = 1024;

/** Every field of a callback, in order (reference: Callback, Fields). Fields without a value are left out. */
export function callbackFields(facts: CallbackFacts): CallbackField[] {
  const { session, words, paymentId } = facts;
  const { order, customer, billing_address, crypto, custom_data } = session.request;
  const fields: CallbackField[] = [
    ['id', paymentId],
    ['order_number', order.number],
    ['order_amount', order.amount ?? facts.receivedText ?? ''],
    ['order_currency', order.currency],
    ['order_description', order.description],
    ...modificationAmount(facts),
    ['approved_amount', facts.approvedText],
    ['order_status', words.order_status],
    ['type', words.type],
    ['status', words.status],
    ['customer_ip', facts.payerIp ?? ''],
    ['date', callbackDate(facts.at)],
    ['reason', words.status === 'fail' ? shortened(facts.reason) : undefined],
    ['card', facts.card?.card],
    ['card_expiration_date', facts.card?.card_expiration_date],
    ['card_token', facts.card?.card_token],
    ['payee_card', facts.card?.payee_card],
    ['digital_wallet', facts.route.digitalWallet ?? undefined],
    ['pan_type', facts.route.panType ?? undefined],
    ['recurring_init_trans_id', facts.mandate?.recurring_init_trans_id],
    ['recurring_token', facts.mandate?.recurring_token],
    ...scheduleFields(facts),
    ['customer_name', customer?.name],
    ['customer_email', customer?.email],
    ['customer_country', billing_address?.country],
    ['customer_state', billing_address?.state],
    ['customer_city', billing_address?.city],
    ['customer_address', billing_address?.address],
    ...payeeFields(session.request),
    ['crypto_network', crypto?.network ?? facts.crypto?.network],
    ['crypto_address', facts.crypto?.address],
    ...exchangeFields(facts),
    ...switchedFields(facts),
    // Ours: absent of what is live.
    ['test', session.stored.test ? true : undefined],
    ['custom_data', custom_data],
    ['hash', callbackHash(session, paymentId)],
  ];
  return fields.filter(([, value]) => value !== undefined);
}

/** The schedule that charges what a payer agreed to (protocol: Response echo); `schedule_paused` is ours. */
export function scheduleFields({ session: { request }, ...facts }: CallbackFacts): CallbackField[] {
  if (facts.mandate === undefined) return [];
  return [
    ['schedule_id', request.schedule_id],
    ['schedule_start_date', request.schedule_start_date],
    ['payment_schedule_amount', request.payment_schedule_amount],
    ['first_recurring_date', facts.firstRecurringDate],
    ['schedule_paused', facts.isSchedulePaused === true ? true : undefined],
  ];
}

/** Fields of ours: a refund or a capture may be a part of the order's amount, which the protocol's fields do not say. */
function modificationAmount({ modification }: CallbackFacts): CallbackField[] {
  if (modification?.kind === 'refund') return [['refund_amount', modification.amount]];
  return modification?.kind === 'capture' ? [['capture_amount', modification.amount]] : [];
}

/** A transfer's callback names the payee. */
function payeeFields({ operation, payee, payee_billing_address }: SessionRequest): CallbackField[] {
  if (operation !== 'transfer') return [];
  return [
    ['payee_name', payee?.name],
    ['payee_email', payee?.email],
    ['payee_country', payee_billing_address?.country],
    ['payee_state', payee_billing_address?.state],
    ['payee_city', payee_billing_address?.city],
    ['payee_address', payee_billing_address?.address],
  ];
}

/** A currency exchange that the provider applied. */
export const exchangeFields = ({ facts = {} }: Pick<CallbackFacts, 'facts'>): CallbackField[] =>
  EXCHANGE_FIELDS.map((name) => [name, facts[name]]);

/** The optional fields that the merchant has switched on. */
export function switchedFields(facts: CallbackFacts): CallbackField[] {
  const { session } = facts;
  const { callbackData, name } = session.merchant.config;
  const fields = { ...emptyReferences(facts.words), ...switchedOn(callbackData, { ...facts, merchantName: name }) };
  return Object.entries(fields).filter(([each]) => callbackData.some((on) => on === each));
}

/** Sent empty where they are not known, with the transactions for which the protocol names them (Callback and status fields). */
const emptyReferences = ({ type }: CallbackWords) =>
  type === 'sale' || type === 'recurring' || type === 'refund' ? { arn: '', rrn: '' } : {};

export const SENT_EMPTY: ReadonlySet<string> = new Set(['arn', 'rrn']);

/** Cut between characters, so that no half of one is sent. */
function shortened(text: string | undefined): string | undefined {
  return text === undefined ? undefined : [...text].slice(0, MAX_REASON).join('');
}

/** `YYYY-MM-DD hh:mm:ss` in UTC. */
export function callbackDate(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
