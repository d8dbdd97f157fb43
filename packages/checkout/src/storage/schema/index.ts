import type { ModificationsTable, LegalModificationTransitionsTable } from './modifications.ts';
import type {
  CallbackAddressesTable,
  CallbackAttemptsTable,
  CallbacksTable,
  DisabledCallbackAddressesTable,
} from './callbacks.ts';
import type { CardsTable, CardTokensTable, WalletTokensTable } from './cards.ts';
import type { ChainsTable, DueDaysTable } from './chains.ts';
import type { FindingsTable } from './findings.ts';
import type { IdempotencyKeysTable } from './idempotency-keys.ts';
import type { FlowRunsTable, JournalTable } from './flow-runs.ts';
import type { ProviderEventsTable, ProviderNotificationsTable } from './notifications.ts';
import type { LegalTransitionsTable, PaymentEventsTable, PaymentReferencesTable, PaymentsTable } from './payments.ts';
import type { ReplyDriftTable } from './reply-drift.ts';
import type { ConfigurationsTable, ServiceSecretsTable } from './configurations.ts';
import type { SchedulesTable } from './schedules.ts';
import type { DuplicateWindowsTable, SessionsTable } from './sessions.ts';
import type { TestClocksTable } from './test-clocks.ts';

/** The tables as kysely sees them. Names are camelCase here and snake_case in the database; migrations say what each table is for. */
export interface Schema {
  sessions: SessionsTable;
  duplicateWindows: DuplicateWindowsTable;
  payments: PaymentsTable;
  legalTransitions: LegalTransitionsTable;
  modifications: ModificationsTable;
  legalModificationTransitions: LegalModificationTransitionsTable;
  paymentReferences: PaymentReferencesTable;
  paymentEvents: PaymentEventsTable;
  flowRuns: FlowRunsTable;
  journal: JournalTable;
  providerNotifications: ProviderNotificationsTable;
  providerEvents: ProviderEventsTable;
  callbacks: CallbacksTable;
  callbackAttempts: CallbackAttemptsTable;
  callbackAddresses: CallbackAddressesTable;
  disabledCallbackAddresses: DisabledCallbackAddressesTable;
  findings: FindingsTable;
  serviceSecrets: ServiceSecretsTable;
  configurations: ConfigurationsTable;
  idempotencyKeys: IdempotencyKeysTable;
  cards: CardsTable;
  cardTokens: CardTokensTable;
  walletTokens: WalletTokensTable;
  schedules: SchedulesTable;
  chains: ChainsTable;
  dueDays: DueDaysTable;
  testClocks: TestClocksTable;
  replyDrift: ReplyDriftTable;
}

export type { DueDayState } from './chains.ts';
export type { CallbackState } from './callbacks.ts';
export type { RunState, StepKind, StepState } from './flow-runs.ts';
export type { NotificationState, ProviderEventState } from './notifications.ts';
export type { PaymentState } from './payments.ts';
export type { Operation, PayerPresence, SessionState } from './sessions.ts';
