export type { ModificationUpdate, NewModification } from './modification-parts.ts';
export { modificationsStore } from './modifications-store.ts';
export type { Modification, ModificationsStore } from './modifications-store.ts';
export type { PaymentUpdate, Transition, TransitionResult } from './transition.ts';
export { beginDurably } from './begin-durably.ts';
export { startedOf } from './insert-payment.ts';
export type {
  StartedPayment,
  Followed,
  NewMandateCharge,
  NewPayment,
  PaidByWallet,
  PaidWith,
} from './insert-payment.ts';
export type { DueDay } from './begin-charge.ts';
export type { ScheduleChange } from './chain-parts.ts';
export type { Chain, ChainFacts, ChainsStore, SoftDecline } from './chains-store.ts';
export type { NewCallback, SentCallback } from './callback-parts.ts';
export { callbacksStore } from './callbacks-store.ts';
export type { AttemptResult, ClaimedCallback, RecordedAttempt } from './callback-attempt.ts';
export type { CallbackFilter, ListedCallback, ResumedAddress } from './callback-lists.ts';
export type { Callback, CallbackAttempt, CallbacksStore } from './callbacks-store.ts';
export type { CardsStore, StoredCard, StoredToken, NewCard, NewCardToken } from './cards-store.ts';
export { driftStore } from './drift-store.ts';
export { DatabaseUnavailableError } from './database-failure.ts';
export { configurationsStore } from './configurations-store.ts';
export type { ConfigurationsStore, StoredConfiguration } from './configurations-store.ts';
export type { ClaimedKey, IdempotencyStore, NewKey } from './idempotency-store.ts';
export { sqlJournal } from './journal-store.ts';
export { fromJsonText, toJsonText } from './json-text.ts';
export type { JsonValue } from './json-text.ts';
export { DatabaseTooNewError } from './migrate.ts';
export type { FoundPayment, NewNotification } from './keep-notification.ts';
export { notificationsStore } from './notifications-store.ts';
export type {
  NotificationsStore,
  LeftNotification,
  StoredNotification,
  StoredProviderEvent,
  UnappliedEvent,
} from './notifications-store.ts';
export type { JobsDatabase } from './embedded-jobs.ts';
export type { Finding, FindingKind, FindingsStore } from './findings-store.ts';
export { openDatabase, vacuum } from './open-database.ts';
export type { Database } from './open-database.ts';
export type { Db } from './db.ts';
export type { Payment, StoredMoney } from './payment.ts';
export type { LeftPayment } from './payments-left.ts';
export { paymentsStore } from './payments-store.ts';
export type { PaymentEvent, PaymentReference, PaymentsStore } from './payments-store.ts';
export { DirectoryInUseError } from './process-lock.ts';
export { releaseHolds } from './release-holds.ts';
export { applyRetention, dueForRetention } from './retention.ts';
export type { Due, Retained } from './retention.ts';
export type { RetentionDays } from './retention-settings.ts';
export { LeaseLostError, runsStore } from './runs-store.ts';
export type {
  ClaimedRun,
  ExecutableRun,
  FlowRun,
  HeldRun,
  NewRun,
  RunLease,
  RunsStore,
  TakenRun,
} from './runs-store.ts';
export type {
  CallbackState,
  NotificationState,
  Operation,
  PayerPresence,
  PaymentState,
  ProviderEventState,
  RunState,
  Schema,
  SessionState,
} from './schema/index.ts';
export { isPaused } from './schedules-store.ts';
export type { Schedule, SchedulesStore } from './schedules-store.ts';
export type { TestClocksStore } from './test-clocks-store.ts';
export { asStored } from './sessions-in-hand.ts';
export { DUPLICATE_WINDOW_MS, sessionsStore } from './sessions-store.ts';
export type { MerchantScope, NewSession, Session, SessionPlace, SessionsStore } from './sessions-store.ts';
export { clockFrom, databaseClock } from './sql-clock.ts';
export type { SqlClock } from './sql-clock.ts';
export { storesOf, type Stores } from './stores.ts';
export type { TokenUsed } from './wallet-tokens.ts';
