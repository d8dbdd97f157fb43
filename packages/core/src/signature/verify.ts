import { type DigestSetting, type InnerDigest, innerDigests, signatureHex } from './digest.ts';
import { concatenate, type Formula, type SignedFields } from './formulas.ts';
import { upperCase, type UpperCaseDialect, upperCaseDialects } from './upper-case.ts';

export interface VerifyRequest<F extends Formula> {
  readonly formula: F;
  readonly fields: SignedFields<F>;
  /** The merchant's password; `undefined` for an unknown merchant, who is refused after the same work. */
  readonly password: string | undefined;
  readonly digest: DigestSetting;
  /** The signature as received. */
  readonly given: string;
}

export type Verification =
  /** `either`: the text does not tell the dialects apart. */
  | { readonly ok: true; readonly digest: InnerDigest; readonly dialect: UpperCaseDialect | 'either' }
  | { readonly ok: false };

/** Stands in for the password of an unknown merchant; it never verifies anything. */
const stranger = 'no-merchant-has-this-password-00';

const hexLength = 40;

/**
 * Checks a signature against both inner digests and both upper-case dialects. All four are always computed and compared
 * to the end, so that the time says neither how much of a guess was right nor whether the merchant exists.
 *
 * @example
 * const checked = verifySignature({ formula: 'session', fields, password, digest: 'both', given: request.hash });
 * if (!checked.ok) return hashIssue();
 */
export function verifySignature<F extends Formula>(request: VerifyRequest<F>): Verification {
  const { formula, fields, digest: setting } = request;
  const known = request.password !== undefined && request.password !== '';
  const text = concatenate(formula, fields, known ? (request.password ?? stranger) : stranger);
  const given = request.given.length === hexLength ? request.given.toLowerCase() : '';
  const matches = innerDigests.flatMap((digest) =>
    upperCaseDialects
      .map((dialect) => ({ digest, dialect, same: equal(signatureHex(upperCase(text, dialect), digest), given) }))
      .filter(({ same }) => same && known && (setting === 'both' || setting === digest)),
  );
  const [first, second] = matches;
  if (first === undefined) return { ok: false };
  return { ok: true, digest: first.digest, dialect: second?.digest === first.digest ? 'either' : first.dialect };
}

/** Compares every character of two hex texts, whatever the first difference. */
function equal(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let at = 0; at < expected.length; at += 1) difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}
