import { modificationsStore } from './modifications.ts';
import { callbacksStore } from './callbacks.ts';
import { chainsStore } from './chains.ts';
import { cardsStore } from './cards-store.ts';
import { driftStore, findingsStore } from './upkeep.ts';
import { idempotencyStore, issuedIdsStore, requestIdsStore } from './requests.ts';
import { journalsStore, runsStore } from './runs.ts';
import { notificationsStore } from './notifications.ts';
import type { Db, SqlClock } from './database/sql.ts';
import { paymentsStore } from './payments.ts';
import { sessionsStore } from './sessions.ts';
import { storiesStore } from './story.ts';
import { schedulesStore, testClocksStore } from './schedules.ts';
export type { ModificationUpdate, NewModification } from './transition.ts';
export { modificationsStore } from './modifications.ts';
export type { Modification, ModificationsStore } from './modifications.ts';
export type { PaymentUpdate, Transition, TransitionResult } from './transition.ts';
export { beginDurably } from './database/failure.ts';
export { startedOf } from './insert-payment.ts';
export type {
  StartedPayment,
  Followed,
  NewMandateCharge,
  NewPayment,
  PaidByWallet,
  PaidWith,
} from './insert-payment.ts';
export type { DueDay } from './chains.ts';
export type { ScheduleChange } from './transition.ts';
export type { Chain, ChainFacts, ChainsStore, SoftDecline } from './chains.ts';
export type { NewCallback, SentCallback } from './transition.ts';
export { callbacksStore } from './callbacks.ts';
export type { AttemptResult, ClaimedCallback, RecordedAttempt } from './callback-attempt.ts';
export type { CallbackFilter, ListedCallback, ResumedAddress } from './callbacks.ts';
export type { Callback, CallbackAttempt, CallbacksStore } from './callbacks.ts';
export type { CardsStore, StoredCard, StoredToken, NewCard, NewCardToken } from './cards-store.ts';
export { driftStore, findingsStore } from './upkeep.ts';
export { DatabaseUnavailableError } from './database/failure.ts';
export { configurationsStore } from './upkeep.ts';
export type { ConfigurationsStore, StoredConfiguration } from './upkeep.ts';
export type { ClaimedKey, IdempotencyStore, NewKey } from './requests.ts';
export { sqlJournal } from './runs.ts';
export { fromJsonText, toJsonText } from './database/sql.ts';
export type { JsonValue } from './database/sql.ts';
export { DatabaseTooNewError } from './database/open.ts';
export type { FoundPayment, NewNotification } from './notifications.ts';
export { notificationsStore } from './notifications.ts';
export type {
  NotificationsStore,
  LeftNotification,
  StoredNotification,
  StoredProviderEvent,
  UnappliedEvent,
} from './notifications.ts';
export type { JobsDatabase } from './database/embedded.ts';
export type { Attention, AttentionKind, Finding, FindingKind, FindingsStore } from './upkeep.ts';
export { openDatabase, vacuum } from './database/open.ts';
export type { Database } from './database/open.ts';
export type { Db } from './database/sql.ts';
export type { Payment, StoredMoney } from './payment.ts';
export type { FoundBySearch, FoundPayments, ListedPayment } from './story.ts';
export type { LeftPayment } from './upkeep.ts';
export { paymentsStore } from './payments.ts';
export type { PaymentEvent, PaymentReference, PaymentsStore } from './payments.ts';
export { DirectoryInUseError } from './database/embedded.ts';
export { releaseHolds } from './database/open.ts';
export { applyRetention, dueForRetention } from './retention.ts';
export type { Due, Retained } from './retention.ts';
export type { RetentionDays } from './retention.ts';
export { LeaseLostError, runsStore } from './runs.ts';
export type { ClaimedRun, ExecutableRun, FlowRun, HeldRun, NewRun, RunLease, RunsStore, TakenRun } from './runs.ts';
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
} from './tables.ts';
export { isPaused } from './schedules.ts';
export type { Schedule, SchedulesStore } from './schedules.ts';
export type { TestClocksStore } from './schedules.ts';
export { asStored } from './sessions.ts';
export { DUPLICATE_WINDOW_MS, sessionsStore } from './sessions.ts';
export type { MerchantScope, NewSession, Session, SessionPlace, SessionsStore } from './sessions.ts';
export { clockFrom, databaseClock } from './database/sql.ts';
export type { SqlClock } from './database/sql.ts';
export type { TokenUsed } from './insert-payment.ts';

export type QueueName =
  | 'callbacks'
  | 'lookups'
  | 'modification-lookups'
  | 'runs'
  | 'schedules'
  | 'remainders'
  | 'notifications'
  | 'expiry';

/** Everything that is stored, by the clock that all of it shares. */
export const storesOf = (db: Db, clock: SqlClock) => ({
  sessions: sessionsStore(db, clock),
  payments: paymentsStore(db, clock),
  modifications: modificationsStore(db, clock),
  runs: runsStore(db, clock),
  journals: journalsStore(db, clock),
  callbacks: callbacksStore(db, clock),
  notifications: notificationsStore(db, clock),
  findings: findingsStore(db, clock),
  idempotency: idempotencyStore(db, clock),
  issuedIds: issuedIdsStore(db),
  requestIds: requestIdsStore(db, clock),
  cards: cardsStore(db),
  schedules: schedulesStore(db, clock),
  chains: chainsStore(db, clock),
  testClocks: testClocksStore(db, clock),
  drift: driftStore(db),
  stories: storiesStore(db),
});

export type Stores = Readonly<ReturnType<typeof storesOf>>;
