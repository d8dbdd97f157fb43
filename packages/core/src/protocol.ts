export {
  type Answer,
  duplicateAnswer,
  errorAnswer,
  type ErrorBody,
  refusedAnswer,
  validationAnswer,
  type ValidationBody,
} from './issues/answers.ts';
export { choiceIssue, invalidValueCode, type Issue, issue, notFoundCode, onePerPath } from './issues/issue.ts';
export { issuesOfZod } from './issues/zod-issues.ts';
export { WRONG_HASH } from './issues/texts.ts';
export type { MoneyProblem } from './money/money.ts';
export { amountText } from './session/amount-rules.ts';
export { type BodyCheck, bodyLimits, checkBody } from './session/body-limits.ts';
export {
  type ParsedSession,
  parseSession,
  type ParseSessionOptions,
  type SessionRequest,
} from './session/parse-session.ts';
export { type SessionInput, sessionSchema } from './session/session-schema.ts';
export { type Day, daysAfter } from './schedule/days.ts';
export { CATCH_UPS, type CatchUp, type Chain, decideDue, type DueDecision, type Pause } from './schedule/decide-due.ts';
export { nextTry } from './schedule/next-try.ts';
export { type Beginning, dueDays, firstDueDay, type TermsSince } from './schedule/due-days.ts';
export {
  changedTerms,
  FIRST_DELAYS,
  INTERVAL_UNITS,
  type ScheduleTerms,
  type TermChanges,
  termsIssues,
  termsSchema,
  WEEKDAYS,
} from './schedule/terms.ts';
export {
  type SessionSignatureOptions,
  type SignedOrder,
  signSession,
  verifySessionSignature,
} from './session/session-signature.ts';
export {
  callbackText,
  cardDigits,
  type CommandFormula,
  commandFormulas,
  commandLayouts,
  commandText,
  type SignedCallbackFields,
  type SignedCommandFields,
} from './signature/command-formulas.ts';
export type { DigestSetting, HashHex, InnerDigest } from './signature/digest.ts';
export { type Formula, formulas, type SignedFields } from './signature/formulas.ts';
export { leadingIds, leadingIdsOfCommand } from './signature/leading-ids.ts';
export { signCallbackFields, signCommand, type SignOptions, signRequest } from './signature/sign.ts';
export { upperCase, type UpperCaseDialect, upperCaseDialects } from './signature/upper-case.ts';
export {
  type GivenSignature,
  type Verification,
  type VerifyCommand,
  verifyCommand,
  type VerifyRequest,
  verifySignature,
  verifyCallbackFields,
} from './signature/verify.ts';
export { withoutTrailingSlashes } from './trailing-slashes.ts';
