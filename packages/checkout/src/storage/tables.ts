import type {
  ExclusiveModification,
  ModificationName,
  ModificationStateName,
  PaymentStateName,
} from '@railyard/core/payment';
import type { DriftKind } from '@railyard/runtime';

export type CallbackState = 'waiting' | 'delivered' | 'dead';

export interface CallbacksTable {
  id: string;
  paymentId: string;
  merchantKey: string;
  seq: number;
  url: string;
  ownUrl: Generated<boolean>;
  test: Generated<boolean>;
  contentType: string;
  body: string;
  state: Generated<CallbackState>;
  attempts: Generated<number>;
  tries: Generated<number>;
  nextTryAt: Timestamp;
  claimedUntil: Timestamp | null;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: Timestamp;
  deliveredAt: Timestamp | null;
}

export interface CallbackAttemptsTable {
  callbackId: string;
  attempt: number;
  status: number | null;
  error: string | null;
  durationMs: number;
  at: Timestamp;
}

export interface CallbackAddressesTable {
  merchantKey: string;
  url: string;
  failures: Generated<number>;
  timeouts: Generated<Date[]>;
  pausedUntil: Timestamp | null;
  flushedAt: Timestamp | null;
}

export interface DisabledCallbackAddressesTable {
  merchantKey: string;
  url: string;
  at: Timestamp;
}

export interface CardsTable {
  id: string;
  merchantKey: string;
  test: boolean;
  numberText: string | null;
  holderText: string | null;
  fingerprint: string;
  firstSix: string;
  lastFour: string;
  brand: string;
  /** Who chose the network that the provider is told. NULL: the provider is told none, and `brand` is that of the number's digits. */
  brandChosenBy: 'payer' | 'merchant' | null;
  expiryMonth: string | null;
  expiryYear: string | null;
  fromToken: boolean;
  createdAt: Timestamp;
  removedAt: Timestamp | null;
}

/** Tokens of digital wallets that have paid. */
export interface WalletTokensTable {
  tokenHash: string;
  paymentId: string;
  usedAt: Timestamp;
}

export interface CardTokensTable {
  tokenHash: string;
  cardId: string;
  merchantKey: string;
  test: boolean;
  tokenText: string;
  holderFingerprint: string | null;
  madeBy: string;
  createdAt: Timestamp;
}

export interface ChainsTable {
  id: string;
  scheduleId: string;
  merchantKey: string;
  test: boolean;
  midId: string;
  tokenHash: string;
  began: string;
  startDate: string | null;
  pausedAfter: string | null;
  pausesText: Generated<string>;
  endedAt: Timestamp | null;
  pollAt: Timestamp | null;
  polls: Generated<number>;
  wakes: Generated<number>;
  createdAt: Timestamp;
}

export type DueDayState = 'begun' | 'settled' | 'declined_soft' | 'declined_hard' | 'paused' | 'missed' | 'refused';

export interface DueDaysTable {
  mandateId: string;
  day: string;
  state: DueDayState;
  chargeId: string | null;
  firstTried: string | null;
  lastTried: string | null;
  at: Timestamp;
}

/**
 * A column by the types in which it is read, inserted and updated, as kysely knows it. Declared here, because the rows' types are part of the
 * package's own, and kysely is built into it.
 */
export interface ColumnType<Read, Inserted, Updated> {
  readonly __select__: Read;
  readonly __insert__: Inserted;
  readonly __update__: Updated;
}

/** A column with a default. */
export type Generated<T> = ColumnType<T, T | undefined, T>;

/** timestamptz: a Date, millisecond precision. */
export type Timestamp = ColumnType<Date, Date, Date>;

/** A row as it is read. */
export type Selectable<Table> = { [Name in keyof Table]: ReadAs<Table[Name]> };

type ReadAs<T> = T extends ColumnType<infer Read, unknown, unknown> ? Read : T;

export interface ServiceSecretsTable {
  name: string;
  /** See `createSealer`. */
  sealed: string;
  madeAt: Timestamp;
}

export interface ConfigurationsTable {
  version: number;
  publicText: string;
  sealed: string;
  origin: 'start' | 'change';
  appliedAt: Timestamp;
}

export interface FindingsTable {
  kind: string;
  subject: string;
  detail: string;
  foundAt: Timestamp;
  handledAt: Timestamp;
}

export type RunState = 'running' | 'suspended' | 'finished';
export type StepKind = 'call' | 'collect' | 'visit';
export type StepState = 'begun' | 'done' | 'not-sent';

export interface FlowRunsTable {
  runId: string;
  paymentId: string;
  purpose: string;
  connectorId: string;
  /** The version that began the payment, also where a later one goes on with it. */
  connectorVersion: string;
  state: RunState;
  startedAt: Timestamp;
  inputText: string;
  leaseOwner: string | null;
  leaseEpoch: Generated<number>;
  /**
   * When the lease runs out by the database's clock, for processes of earlier versions; of a run that no process holds: since when. This
   * version judges a holder by its beats.
   */
  leaseUntil: Timestamp | null;
  /** Signs of life of the holder. */
  beats: Generated<number>;
  tries: Generated<number>;
  /** How often a step of the run began: the position of the newest one. */
  begunSteps: Generated<number>;
  suspendedStep: string | null;
  suspendedText: string | null;
  outcomeText: string | null;
  finishedAt: Timestamp | null;
}

export interface JournalTable {
  runId: string;
  step: string;
  /** The place of the step among the steps of its run, in the order in which they began; numbers may be missing. */
  position: number;
  kind: StepKind;
  state: StepState;
  sends: number;
  replyText: string | null;
  begunAt: Timestamp;
  doneAt: Timestamp | null;
}

export interface IdempotencyKeysTable {
  merchantKey: string;
  idempotencyKey: string;
  requestHash: string;
  resourceId: string;
  status: number | null;
  answerText: string | null;
  heldUntil: Timestamp;
  createdAt: Timestamp;
  expiresAt: Timestamp;
}

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

export interface ModificationsTable {
  id: string;
  paymentId: string;
  /** Its payment's. */
  midId: string;
  kind: ModificationName;
  amountText: string;
  /** Whole minor units as decimal text. */
  amountMinor: string;
  currency: string;
  state: ModificationStateName;
  providerReference: string | null;
  providerStatus: string | null;
  providerCode: string | null;
  providerMessage: string | null;
  reason: string | null;
  pollAt: Timestamp | null;
  factsText: Generated<string>;
  polls: Generated<number>;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export interface LegalModificationTransitionsTable {
  fromState: ModificationStateName | 'none';
  toState: ModificationStateName;
}

export type NotificationState = 'received' | 'handled' | 'refused' | 'failed';
export type ProviderEventState = 'applied' | 'ignored' | 'quarantined' | 'unmatched';

export interface ProviderNotificationsTable {
  id: string;
  connectorId: string;
  midId: string;
  requestText: string;
  body: Uint8Array;
  state: Generated<NotificationState>;
  tries: Generated<number>;
  nextTryAt: Timestamp;
  detail: string | null;
  receivedAt: Timestamp;
  handledAt: Timestamp | null;
}

export interface ProviderEventsTable {
  connectorId: string;
  midId: string;
  eventId: string;
  paymentId: string | null;
  notificationId: string | null;
  kind: string;
  providerReference: string;
  amountText: string | null;
  currency: string | null;
  dataText: string;
  state: ProviderEventState;
  reason: string | null;
  at: Timestamp;
}

export type PaymentState = PaymentStateName;

/** The columns that end in `Minor` are whole minor units as decimal text, because drivers differ in how they read a numeric. */
export interface PaymentsTable {
  id: string;
  sessionId: string | null;
  merchantKey: string;
  operation: Operation;
  orderNumber: string;
  merchantReference: string;
  method: string;
  methodAlias: string;
  connectorId: string;
  connectorVersion: string;
  midId: string;
  /** Counts the payments of a session. */
  attempt: number;
  /** Counts the payer's tries; one may be several payments, of which each was declined but the last. */
  payerTry: number;
  state: PaymentState;
  unknown: Generated<boolean>;
  amountText: string | null;
  currency: string;
  amountMinor: string | null;
  amountOpen: boolean;
  payerIp: string | null;
  cardId: string | null;
  cardBrand: string | null;
  payeeCardId: string | null;
  cardTokenHash: string | null;
  /** `applepay`, `googlepay`. */
  digitalWallet: string | null;
  panType: 'dpan' | 'fpan' | null;
  mandateId: string | null;
  retryOf: string | null;
  recurringToken: string | null;
  authorizedMinor: Generated<string>;
  capturedMinor: Generated<string>;
  receivedMinor: Generated<string>;
  receivedText: string | null;
  receivedCurrency: string | null;
  decidedBy: string | null;
  refundedMinor: Generated<string>;
  reservedMinor: Generated<string>;
  modifying: ExclusiveModification | null;
  reason: string | null;
  declineKind: 'soft' | 'hard' | null;
  /** Core's code of the reason; `null` where there is none, or the payment is from before there were codes. */
  declineCode: string | null;
  providerReference: string | null;
  providerStatus: string | null;
  providerCode: string | null;
  providerMessage: string | null;
  showText: string | null;
  agreementText: Generated<string>;
  connectorStateText: Generated<string>;
  factsText: Generated<string>;
  asideText: string | null;
  hints: Generated<number>;
  hintedSince: Timestamp | null;
  /** When the lookup stands that a hint has planned; another time than `pollAt` once it has begun. */
  hintPollAt: Timestamp | null;
  pollAt: Timestamp | null;
  polls: Generated<number>;
  callbacks: Generated<number>;
  version: number;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** When retention removed the personal data. */
  erasedAt: Timestamp | null;
}

export interface LegalTransitionsTable {
  fromState: PaymentState | 'none';
  toState: PaymentState;
}

export interface PaymentReferencesTable {
  connectorId: string;
  midId: string;
  providerReference: string;
  paymentId: string;
  watched: boolean;
  payableUntil: Timestamp | null;
  createdAt: Timestamp;
}

export interface PaymentEventsTable {
  paymentId: string;
  version: number;
  kind: string;
  fromState: PaymentState | null;
  toState: PaymentState;
  dataText: string;
  at: Timestamp;
}

export interface ReplyDriftTable {
  connectorId: string;
  version: string;
  endpoint: string;
  kind: DriftKind;
  reply: string;
  status: number;
  place: string;
  form: string;
  seen: string;
  firstSeenAt: Timestamp;
  lastSeenAt: Timestamp;
}

export interface SchedulesTable {
  id: string;
  merchantKey: string;
  test: boolean;
  historyText: string;
  pausesText: string;
  paused: boolean;
  version: number;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export type Operation = 'purchase' | 'debit' | 'credit' | 'transfer';
export type SessionState = 'open' | 'completed' | 'expired' | 'cancelled';

/**
 * How a flow reaches the payer of a session. `page`: on our page. `merchant`: through a redirect of the merchant's own, for commands of
 * merchants' servers whose payers are sent to a bank; no route creates it yet. `none`: no payer is there.
 */
export type PayerPresence = 'page' | 'fields' | 'merchant' | 'none';

export interface SessionsTable {
  id: string;
  merchantKey: string;
  operation: Operation;
  orderNumber: string;
  tokenHash: string;
  /** The request as it was accepted; in rows from before that, as the merchant sent it. */
  requestText: string;
  state: Generated<SessionState>;
  hashDialect: 'ascii' | 'unicode';
  hashDigest: 'md5' | 'sha256';
  test: boolean;
  payerPresence: PayerPresence;
  livePaymentId: string | null;
  /** The payment whose money completed it. */
  paidPaymentId: string | null;
  /** The card that its payer has entered into the merchant's form and not yet paid with: a new id each time that something is entered. */
  entryId: string | null;
  /** That card, sealed, and nothing of its security code. */
  entryText: string | null;
  attempts: Generated<number>;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  closedAt: Timestamp | null;
  /** When retention left of the request only what names the order and its amount. */
  erasedAt: Timestamp | null;
}

export interface DuplicateWindowsTable {
  /** As the request named it: the live key or the test key. */
  merchantKey: string;
  orderNumber: string;
  armedAt: Timestamp;
}

export interface TestClocksTable {
  merchantKey: string;
  /** Milliseconds; a bigint, which drivers give as text. */
  aheadMs: ColumnType<string, string, string>;
  lastMove: string;
}
