export { binOf, CardHandle, type CardPart, type PayeeCard } from './connector/card-handle.ts';
export { CONTRACT_VERSION, contractProblem } from './connector/contract.ts';
export { DECLINE_REASONS, isDeclineCode } from './connector/decline-codes.ts';
export type { AmountModification, AnyFlows, Checked, PendingForHours, Served } from './connector/define-connector.ts';
export type { CheckedWallet, WalletButton, WalletOrder, WalletSale } from './connector/digital-wallet.ts';
export {
  type AnyEndpoint,
  type CallEffect,
  type CredentialEffect,
  type Finder,
  type Found,
  isForFlow,
  isRefusal,
  MAX_TIMEOUT_MS,
  type RepeatPolicy,
  type ReplyVariant,
  requestOf,
  TOO_MANY_REQUESTS,
} from './connector/endpoint.ts';
export type {
  CollectResult,
  CollectEffect,
  Effect,
  RequestObject,
  SignedAnswer,
  VisitEffect,
} from './connector/flow.ts';
export { eventKey, type ProofVector } from './connector/notification.ts';
export type { RecurringPayment } from './connector/payment-input.ts';
export {
  type CallProof,
  type FieldPlace,
  type HeaderPlace,
  type JwsProof,
  listOf,
  type FurtherProof,
  type NotificationVerification,
  type ProofKey,
  type SignatureProof,
  type SignedText,
  type SignedTime,
  type TokenProof,
} from './connector/proof.ts';
export {
  claimsOf,
  listed,
  millisecondsOf,
  placesOf,
  allProofs,
  proofHeaders,
  timeTextOf,
  writtenHeader,
  writtenTime,
} from './connector/proof-places.ts';
export { type ArrivedNotification, rawNotification } from './connector/raw-notification.ts';
export type { OAuthClient } from './connector/oauth-token.ts';
export type { ConnectorValues, OutcomeStatus, ProviderWord } from './connector/outcome.ts';
export { type PayerBrowser, type PayerClient, readPayerBrowser, samplePayerClient } from './connector/payer-client.ts';
export type { Detail, ShowKind } from './connector/show.ts';
export { knowsWord, tableOf, tablesOf } from './connector/statuses.ts';
export type { Meaning, StatusEffect, StatusFacts, StatusTable, StatusTables } from './connector/statuses.ts';
export type {
  Codec,
  DigestName,
  JwsAlgorithm,
  JwsSigning,
  JwtSigning,
  SignedParts,
  Signing,
  SigningMoment,
  Tls,
  Wire,
  WireLeaf,
} from './connector/wire.ts';
export { endOfString, nameGivenTwice } from './formats/name-given-twice.ts';
export { withPlace } from './plain-data.ts';
