export { CONTRACT_VERSION, contractProblem } from './contract.ts';
export { CardHandle, type CardPart, type PayeeCard, type PaymentCard, type PaymentWallet } from './card-handle.ts';
export type {
  CheckedWallet,
  DigitalWallet,
  MerchantValidation,
  WalletButton,
  WalletCard,
  WalletOrder,
  WalletRead,
  WalletSale,
} from './digital-wallet.ts';
export {
  type Actions,
  type AmountAction,
  type AnyFlows,
  type Checked,
  type Connector,
  defineConnector,
  type Flows,
  type LookedUpAction,
  oneCall,
  type Served,
  type StatusReport,
} from './define-connector.ts';
export {
  type AnyEndpoint,
  type Endpoint,
  endpointsFor,
  MAX_TIMEOUT_MS,
  type Example,
  type Finder,
  type RepeatPolicy,
  type ReplyVariant,
  type RequestContext,
} from './endpoint.ts';
export {
  type Answered,
  call,
  type CallEffect,
  collect,
  type CollectEffect,
  credential,
  type CredentialEffect,
  type Effect,
  type Steps,
  visit,
  type VisitEffect,
} from './flow.ts';
export {
  eventKey,
  type Notifications,
  notificationsFor,
  type NotificationVerification,
  type ProviderEvent,
  type RawNotification,
} from './notification.ts';
export { isOfAnother, type Named, ofThisPayment } from './of-this-payment.ts';
export { oneOrMany } from './one-or-many.ts';
export {
  authorized,
  declined,
  type Kept,
  type Outcome,
  type OutcomeStatus,
  pending,
  type ProviderWord,
  settled,
  unknown,
} from './outcome.ts';
export type {
  FlowContext,
  LookedUpPayment,
  OriginalPayment,
  PayerClient,
  PaymentInput,
  RecurringPayment,
  SpecOf,
} from './payment-input.ts';
export { type Reasons, unlessTakenBefore, withReason } from './reasons.ts';
export { amountFields, amountOf, withAmount } from './reply-amount.ts';
export {
  address,
  confirmOnDevice,
  type Detail,
  linkSent,
  paymentDetails,
  qr,
  redirect,
  type Show,
  type ShowKind,
  voucher,
} from './show.ts';
export {
  type SimulatedCourse,
  type SimulatedEffect,
  type SimulatedEndpoint,
  type SimulatedNotification,
  type SimulatedPage,
  type SimulatedPayment,
  type SimulatedRequest,
  type Simulation,
} from './simulation.ts';
export { minutesAfter } from './simulated-time.ts';
export { type Meaning, type StatusFacts, statusTable, type StatusTable } from './statuses.ts';
export { timestampedHmac, timestampHeaders } from './timestamped-hmac.ts';
export type { Codec, DigestName, SignedParts, Signing, Wire, WireLeaf, WireValue } from './wire.ts';
