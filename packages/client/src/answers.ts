import type { ModificationPart, OptionalFields, OrderStatus, TransactionWords } from '@railyard/core/payment';
import type { FieldIssue } from './errors.ts';
import { issueOf, isObject, textOf, valueOf } from './read-answer.ts';

export interface CreatedSession {
  /** Send the payer here. */
  readonly redirect_url: string;
  /** Fields that look wrong and are accepted all the same, check digits for example. */
  readonly warnings: readonly FieldIssue[];
}

export interface CreatedToken {
  /** For the payment fields on your page, and for `payByFields`. */
  readonly token: string;
  readonly warnings: CreatedSession['warnings'];
}

/** How a payment of hosted fields stands. Deliver for a callback, not for this. */
export interface FieldsPaid {
  /** `redirect`: send the payer to `redirect_url`. `waiting` and `undefined`: a callback follows. */
  readonly result: 'success' | 'decline' | 'redirect' | 'waiting' | 'undefined';
  /** The `payment_id` of callbacks, returns and lookups. */
  readonly public_id: string;
  readonly redirect_url?: string;
  readonly redirect_method?: 'GET' | 'POST';
  /** To be submitted by POST; empty where the payer just goes there. */
  readonly redirect_params?: Readonly<Record<string, string>>;
  /** The query with which the payer comes back. */
  readonly return_url_query_params: Readonly<Record<string, string>>;
  readonly decline_message?: string;
}

/** The order as it was sent. If the payer chose the amount: the received amount, or empty. */
export interface AnsweredOrder {
  readonly number: string;
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
}

/** Of a payment that a schedule follows, once it is settled. */
interface ScheduleFields {
  readonly schedule_id?: string;
  readonly schedule_start_date?: string;
  readonly payment_schedule_amount?: string;
  /** The day of the first charge, `YYYY-MM-DD`. */
  readonly first_recurring_date?: string;
}

/** A payment's state, with the fields that the merchant has switched on for it. An outcome that is not known yet is `pending`. */
export interface PaymentStatus extends OptionalFields, ScheduleFields {
  readonly payment_id: string;
  /** The last change, `YYYY-MM-DD hh:mm:ss` in UTC. */
  readonly date: string;
  readonly status: OrderStatus;
  /** Where the provider approved less than the amount: how much. */
  readonly approved_amount?: string;
  /** The value-added tax that the order's amount contains, of a session with `vat_calc`, and its rate in percent. */
  readonly vat_amount?: string;
  readonly vat_rate?: string;
  /** After a decline. */
  readonly reason?: string;
  /** Both where the payment began a mandate that may be charged again. */
  readonly recurring_init_trans_id?: string;
  readonly recurring_token?: string;
  /** The amount captured of a hold, and the sum of the refunds. */
  readonly captured_amount?: string;
  readonly refunded_amount?: string;
  readonly order: AnsweredOrder;
  readonly customer?: { readonly name?: string; readonly email?: string };
  /** This and the next where the merchant has `card` switched on. Masked: `411111******1111`. */
  readonly card?: string;
  /** `MM/YYYY` */
  readonly card_expiration_date?: string;
}

/** Accepted and begun. A callback reports the outcome. */
export interface Accepted {
  readonly payment_id: string;
  readonly result: 'accepted';
}

export interface Voided {
  /** `WAITING` and `UNDEFINED` are not final: a callback follows. */
  readonly status: 'SUCCESS' | 'FAIL' | 'WAITING' | 'UNDEFINED';
  readonly payment_status: OrderStatus;
  readonly payment_id: string;
  readonly date: string;
  readonly reason?: string;
  readonly order: AnsweredOrder;
}

/** `pending` also covers an outcome that is not known yet: wait for the callback. */
export type Charged = Pick<PaymentStatus, 'payment_id' | 'date' | 'reason' | 'order'> & {
  readonly status: 'settled' | 'pending' | 'decline';
};

/** How a transaction of a server-to-server command stands; a lookup's with the fields that the merchant has switched on for it. */
export interface Transaction extends TransactionWords, OptionalFields, ScheduleFields {
  readonly order_id: string;
  readonly trans_id: string;
  /** Where `status` is `DECLINED`. */
  readonly decline_reason?: string;
  /** These of a payout, not of a lookup: when it began, `YYYY-MM-DD hh:mm:ss` in UTC, and the amount as it was sent. */
  readonly trans_date?: string;
  readonly amount?: string;
  readonly currency?: string;
  /** Of a debit that the payer pays a commission on: the commission, and what the payer pays in all. */
  readonly commission?: string;
  readonly total_amount?: string;
  /** Send the payer there by `redirect_method`, with these parameters; without an address, show what they hold. */
  readonly redirect_url?: string;
  readonly redirect_method?: 'GET' | 'POST';
  readonly redirect_params?: Readonly<Record<string, string>>;
  /** Where the payer sends the coins. */
  readonly crypto_address?: string;
  readonly crypto_network?: string;
  /** The tokens of later payments, where they were asked for. */
  readonly card_token?: string;
  readonly recurring_token?: string;
}

/** Accepted and begun. A callback with the same action reports the outcome. */
export interface AcceptedTransaction {
  readonly result: 'ACCEPTED';
  readonly order_id: string;
  readonly trans_id: string;
}

export interface TransactionDetails extends Transaction {
  readonly name?: string;
  readonly mail?: string;
  readonly ip?: string;
  readonly transactions: readonly {
    readonly type: ModificationPart | 'sale' | 'auth' | 'chargeback' | 'credit';
    readonly status: 'success' | 'waiting' | 'fail';
    readonly date: string;
    readonly amount: string;
  }[];
}

export interface CreatedSchedule {
  readonly result: 'SUCCESS';
  readonly schedule_id: string;
}

/** The schedule is as it was asked for. */
export interface ScheduleAnswer {
  readonly result: 'SUCCESS';
}

/** The terms of a schedule, and whether a pause holds. Numbers are numbers here. */
export interface ScheduleInfo extends ScheduleAnswer {
  readonly schedule_id: string;
  readonly name: string;
  readonly interval_length: number;
  readonly interval_unit: 'day' | 'month';
  readonly day_of_month?: number;
  readonly payments_count: number;
  readonly delayed_first_payment: 'none' | 'delay_by_interval' | 'day_of_week' | 'day_of_month';
  readonly retry_days: string;
  readonly paused: 'Y' | 'N';
}

/** How the test clock of a merchant stands. */
export interface MovedClock {
  /** The time of test payments, `YYYY-MM-DD hh:mm:ss` in UTC. */
  readonly now: string;
  /** The day that it is for schedules, in the merchant's time zone. */
  readonly today: string;
  readonly seconds_ahead: number;
  /** `false`: more waits than one request moves; the checkout moves the rest by itself. */
  readonly is_complete: boolean;
}

/** Reads an answer; undefined for any other value. Unknown fields are passed on, because a newer service may answer more. */
export type Read<A> = (body: unknown) => A | undefined;

const only =
  <A>(is: (body: unknown) => body is A): Read<A> =>
  (body) =>
    is(body) ? body : undefined;

/** The texts without which an answer says nothing. */
const holds = (body: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => textOf(body, name) !== undefined);

const isStatus = (body: unknown): body is PaymentStatus =>
  holds(body, 'payment_id', 'date', 'status') && isObject(valueOf(body, 'order'));

export const paymentStatus = only(isStatus);

export const paymentStatuses = only((body): body is PaymentStatus[] => Array.isArray(body) && body.every(isStatus));

export const charged = only((body): body is Charged => isStatus(body));

export const accepted = only((body): body is Accepted => holds(body, 'payment_id', 'result'));

export const voided = only((body): body is Voided => holds(body, 'payment_id', 'status', 'payment_status'));

export const movedClock = only((body): body is MovedClock => holds(body, 'now', 'today'));

const isTransaction = (body: unknown): body is Transaction => holds(body, 'trans_id', 'order_id', 'result', 'status');

export const transaction = only(isTransaction);

export const acceptedTransaction = only((body): body is AcceptedTransaction =>
  holds(body, 'trans_id', 'order_id', 'result'),
);

/** The answers to the other commands of schedules hold a part of it. */
export const scheduleInfo = only((body): body is ScheduleInfo => holds(body, 'result'));

export const transactionDetails = only(
  (body): body is TransactionDetails => isTransaction(body) && Array.isArray(valueOf(body, 'transactions')),
);

const warningsOf = (body: unknown): CreatedSession['warnings'] => {
  const warnings = valueOf(body, 'warnings');
  return Array.isArray(warnings) ? warnings.map(issueOf) : [];
};

export const createdSession: Read<CreatedSession> = (body) => {
  const redirect_url = textOf(body, 'redirect_url');
  return redirect_url === undefined ? undefined : { redirect_url, warnings: warningsOf(body) };
};

export const createdToken: Read<CreatedToken> = (body) => {
  const token = textOf(body, 'token');
  return token === undefined ? undefined : { token, warnings: warningsOf(body) };
};

export const fieldsPaid = only((body): body is FieldsPaid => holds(body, 'result', 'public_id'));
