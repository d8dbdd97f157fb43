export type { OptionalField, OptionalFields } from '@railyard/core/merchant';
export type {
  Accepted,
  AnsweredOrder,
  Charged,
  CreatedSession,
  PaymentStatus,
  Transaction,
  Voided,
} from './answers.ts';
export {
  type CheckedCallback,
  type CheckedCommandCallback,
  type CheckedReturn,
  type Client,
  type ClientOptions,
  createClient,
  type ReceivedCallback,
} from './client.ts';
export {
  BusyError,
  type FieldIssue,
  InvalidRequestError,
  isRailyardError,
  type RailyardError,
  RefusedError,
  UnknownOutcomeError,
} from './errors.ts';
export type { AccountCredit, AmountOnPayment, CardCredit, NewSession, OnPayment, RecurringCharge } from './requests.ts';
export type { CallOptions, Fetch, RequestKey } from './send.ts';
