export type { OptionalField, OptionalFields } from '@railyard/core/merchant';
export type {
  Accepted,
  AcceptedTransaction,
  AnsweredOrder,
  Charged,
  CreatedSchedule,
  CreatedSession,
  CreatedToken,
  FieldsPaid,
  MovedClock,
  PaymentStatus,
  ScheduleAnswer,
  ScheduleInfo,
  Transaction,
  TransactionDetails,
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
export type {
  AmountOnPayment,
  CardCredit,
  FieldsPayment,
  NewSession,
  NewToken,
  OnPayment,
  RecurringCharge,
} from './requests.ts';
export type {
  AccountCredit,
  AmountOnTransaction,
  ApmSale,
  CardDebit,
  CardSale,
  CardTransfer,
  CommandCharge,
  CommandCredit,
  CryptoCredit,
  OnOrder,
  OnPayerOfSchedule,
  OnSchedule,
  OnTransaction,
  ScheduleTerms,
  SignedCard,
} from './command-requests.ts';
export type { Commands } from './commands.ts';
export type { CallOptions, Fetch, RequestKey } from './send.ts';
