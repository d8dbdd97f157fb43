import {
  callbackText,
  type CommandFormula,
  commandText,
  type SignedCallbackFields,
  type SignedCommandFields,
} from './command-formulas.ts';
import { defaultDigest, type HashHex, type InnerDigest, portableHash, signatureHex } from './digest.ts';
import { concatenate, type Formula, type SignedFields } from './formulas.ts';
import { upperCase, type UpperCaseDialect } from './upper-case.ts';

export interface SignOptions {
  /** The inner digest of the merchant's mapping. */
  readonly digest?: InnerDigest;
  /**
   * How to upper-case. Default: `ascii` for callbacks and returns, `unicode` for requests, as the protocol's clients do.
   * Both give the same result for plain English.
   */
  readonly dialect?: UpperCaseDialect;
  /** Computes the digests. Default: core's own. In Node: `(algorithm, text) => crypto.hash(algorithm, text)`. */
  readonly hash?: HashHex;
}

/**
 * Signs a request, a callback or a return.
 *
 * @returns 40 lower-case hex digits.
 * @throws RangeError for an empty password, with which anybody could sign.
 * @example
 * signRequest('session', { number: 'order-1234', amount: '100.99', currency: 'USD', description: 'Important gift' }, password)
 */
export function signRequest<F extends Formula>(
  formula: F,
  fields: SignedFields<F>,
  password: string,
  options: SignOptions = {},
): string {
  refuseEmpty(password);
  const dialect = options.dialect ?? usualDialect(formula);
  const text = upperCase(concatenate(formula, fields, password), dialect);
  return signatureHex(text, options.digest ?? defaultDigest, options.hash);
}

function usualDialect(formula: Formula): UpperCaseDialect {
  return formula.startsWith('callback') || formula.startsWith('return') ? 'ascii' : 'unicode';
}

/**
 * Signs a server-to-server command or its callback.
 *
 * @returns lower-case hex digits: 32, or 64 with the digest `sha256`.
 * @throws RangeError for an empty password, with which anybody could sign.
 * @example
 * signCommand('payout', { order_id: 'order-1234', order_amount: '100', order_currency: 'KES' }, password)
 */
export function signCommand<F extends CommandFormula>(
  formula: F,
  fields: SignedCommandFields<F>,
  password: string,
  { digest = defaultDigest, dialect = 'ascii', hash = portableHash }: SignOptions = {},
): string {
  refuseEmpty(password);
  return hash(digest, commandText(formula, fields, password, dialect));
}

/**
 * Signs a callback of S2S APM, whose hash covers every field.
 *
 * @returns lower-case hex digits: 32, or 64 with the digest `sha256`.
 * @throws RangeError for an empty password, with which anybody could sign.
 * @example
 * signCallbackFields({ action: 'SALE', result: 'SUCCESS', status: 'SETTLED', order_id: 'order-1234' }, password)
 */
export function signCallbackFields(
  fields: SignedCallbackFields,
  password: string,
  { digest = defaultDigest, dialect = 'ascii', hash = portableHash }: SignOptions = {},
): string {
  refuseEmpty(password);
  return hash(digest, callbackText(fields, password, dialect));
}

function refuseEmpty(password: string): void {
  if (password === '') throw new RangeError('A merchant password must not be empty');
}
