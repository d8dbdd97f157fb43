export { type SignedOrder, signSession } from '../session/session-signature.ts';
export {
  type Formula,
  type InnerDigest,
  type SignedFields,
  type SignOptions,
  signRequest,
} from '../signature/index.ts';
export {
  type CallbackData,
  type CallbackFields,
  type CallbackProblem,
  type VerifiedCallback,
  verifyCallback,
  type VerifyCallback,
} from './verify-callback.ts';
export { type SignedHeaders, webhookSignature } from './webhook-signature.ts';
export {
  type ReturnProblem,
  verifyCallbackHash,
  type VerifyCallbackHash,
  type VerifiedReturn,
  verifyReturn,
  type VerifyReturn,
} from './verify-return.ts';
