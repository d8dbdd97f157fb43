export { type CommandFormula, commandFormulas, type SignedCommandFields } from './command-formulas.ts';
export { type DigestSetting, type HashHex, type InnerDigest } from './digest.ts';
export { type Formula, formulas, type SignedFields } from './formulas.ts';
export { leadingIds, leadingIdsOfCommand } from './leading-ids.ts';
export { signCommand, type SignOptions, signRequest } from './sign.ts';
export { upperCase, type UpperCaseDialect, upperCaseDialects } from './upper-case.ts';
export {
  type GivenSignature,
  type Verification,
  type VerifyCommand,
  verifyCommand,
  type VerifyRequest,
  verifySignature,
} from './verify.ts';
