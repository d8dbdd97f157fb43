export { type DigestSetting, type HashHex, type InnerDigest } from './digest.ts';
export { type Formula, formulas, type SignedFields } from './formulas.ts';
export { type SignOptions, signRequest } from './sign.ts';
export { upperCase, type UpperCaseDialect, upperCaseDialects } from './upper-case.ts';
export { type Verification, type VerifyRequest, verifySignature } from './verify.ts';
