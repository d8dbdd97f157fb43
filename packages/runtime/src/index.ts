export { CONTENT_TYPES, readBody, writeBody } from './codecs.ts';
export { type Deadline, deadline } from './deadline.ts';
export { type Credentials, memoryCredentials } from './credentials.ts';
export { type DriftLedger, driftLedger, keyOf, together } from './drift/drift-ledger.ts';
export { driftLine, readDriftLine } from './drift/drift-line.ts';
export { isDriftPlace, MORE } from './drift/protocol-name.ts';
export { DRIFT_KINDS, type DriftCount, type DriftKind, type Sighting } from './drift/sighting.ts';
export { reportNotified } from './drift/sightings.ts';
export { drive, hasMoved } from './drive.ts';
export { hmac } from './hmac.ts';
export { baseUrlOf, encodeRequest } from './encode.ts';
export { type Journal, type JournalEntry, memoryJournal, type StepKind } from './journal.ts';
export { kyTransport, type KyTransport } from './ky-transport.ts';
export { openedWhenUsed } from './opened-when-used.ts';
export { bodyWithoutCards, eventWithoutCards, urlWithoutCodes } from './card-mask.ts';
export {
  readNotification,
  receiveNotification,
  type NotificationRefusal,
  type ReceivedNotification,
} from './notification.ts';
export { type PaymentFacts, paymentInput } from './payment-input.ts';
export type { PlainJson } from './plain-json.ts';
export { preview, type Preview, type PreviewedRequest, type PreviewedValue, type PreviewOptions } from './preview.ts';
export { signedBytes } from './proof-signature.ts';
export { type ReadExample, readReply, replyValue } from './read-reply.ts';
export { computeSignature } from './signing.ts';
export { hiddenTexts, redact, withoutTexts } from './redact.ts';
export { requestedWaitMs } from './retry-after.ts';
export { askSafely, type SafeAnswer } from './ask-safely.ts';
export {
  isReference,
  readReference,
  readReferences,
  type ReferenceProblem,
  type SecretReference,
} from './secret-reference.ts';
export { isSecretSetting } from './secret-places.ts';
export type {
  Signal,
  SignalProblem,
  CallLog,
  DriveResult,
  FlowName,
  Host,
  RetryAfter,
  Run,
  NextAction,
  NextActionField,
} from './run.ts';
export type { ClosableTransport, HttpRequest, HttpResult, Transport } from './transport.ts';
