export type { OptionalField, OptionalFields } from '../payment/optional-fields.ts';
export { type SignedOrder, signSession } from '../session/session-signature.ts';
export {
  cardDigits,
  type CommandFormula,
  type SignedCallbackFields,
  type SignedCommandFields,
} from '../signature/command-formulas.ts';
export type { Formula, SignedFields } from '../signature/formulas.ts';
export type { InnerDigest } from '../signature/digest.ts';
export { signCallbackFields, signCommand, type SignOptions, signRequest } from '../signature/sign.ts';
export type { CallbackData } from './read-fields.ts';
export {
  hasRequestSignature,
  requestIdForm,
  requestSignature,
  requestSignatureHeaders,
  requestTolerance,
  type RequestToSign,
} from './request-signature.ts';
export type { CallbackProblem, CheckedSignature, SignedCallback, VerifyCallback } from './signed-callback.ts';
export { type CallbackFields, type VerifiedCallback, verifyCallback } from './verify-callback.ts';
export {
  type CommandCallbackFields,
  type VerifiedCommandCallback,
  verifyCommandCallback,
} from './verify-command-callback.ts';
export { type HmacBase64, type SignedHeaders, webhookSignature } from './webhook-signature.ts';
export { type ReturnFacts, returnState } from './return-state.ts';
export {
  type ReturnProblem,
  verifyCallbackHash,
  type VerifyCallbackHash,
  type VerifiedReturn,
  verifyReturn,
  type VerifyReturn,
} from './verify-return.ts';
