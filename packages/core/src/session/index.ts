export { isCleanText } from './characters.ts';
export { amountText } from './amount-rules.ts';
export { nestBrackets } from './brackets.ts';
export { type BodyCheck, bodyLimits, checkBody } from './body-limits.ts';
export {
  checkedString,
  countryCode,
  currencyCode,
  day,
  email,
  flag,
  latinText,
  type TextRule,
  text,
  uuid,
  wholeNumber,
} from './fields.ts';
export { type NotBuiltField, notBuiltIssues } from './not-built.ts';
export { type ParsedSession, type ParseSessionOptions, parseSession, type SessionRequest } from './parse-session.ts';
export { publicUrl } from './public-url.ts';
export { redirectUrl } from './redirect-url.ts';
export { type SessionInput, sessionSchema } from './session-schema.ts';
export {
  type SessionSignatureOptions,
  type SignedOrder,
  signSession,
  verifySessionSignature,
} from './session-signature.ts';
