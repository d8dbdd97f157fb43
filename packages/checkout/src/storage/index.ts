export type { PaymentUpdate, Transition, TransitionResult } from './apply-transition.ts';
export type { BegunPayment, NewPayment } from './begin-payment.ts';
export { callbacksStore } from './callbacks-store.ts';
export type { AttemptResult, Callback, CallbackAttempt, CallbacksStore } from './callbacks-store.ts';
export { sqlJournal } from './journal-store.ts';
export { fromJsonText, toJsonText } from './json-text.ts';
export type { JsonValue } from './json-text.ts';
export { DatabaseTooNewError } from './migrate.ts';
export { notificationsStore } from './notifications-store.ts';
export type {
  NewNotification,
  NotificationsStore,
  StoredNotification,
  StoredProviderEvent,
  UnappliedEvent,
} from './notifications-store.ts';
export { openDatabase, vacuum } from './open-database.ts';
export type { Database, Db } from './open-database.ts';
export type { Payment, StoredMoney } from './payment.ts';
export { paymentsStore } from './payments-store.ts';
export type { PaymentEvent, PaymentReference, PaymentsStore } from './payments-store.ts';
export { DirectoryInUseError } from './process-lock.ts';
export { releaseHolds } from './release-holds.ts';
export { LeaseLostError, runsStore } from './runs-store.ts';
export type { ClaimedRun, FlowRun, NewRun, RunLease, RunsStore } from './runs-store.ts';
export type {
  CallbackState,
  NotificationState,
  Operation,
  PaymentState,
  ProviderEventState,
  RunState,
  Schema,
  SessionState,
} from './schema/index.ts';
export { sessionsStore } from './sessions-store.ts';
export type { NewSession, Session, SessionsStore } from './sessions-store.ts';
export { clockFrom, databaseClock } from './sql-clock.ts';
export type { SqlClock } from './sql-clock.ts';
