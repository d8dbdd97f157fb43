import { commandText, type CommandFormula, type SignedCommandFields } from './command-formulas.ts';
import {
  type DigestSetting,
  type HashHex,
  type InnerDigest,
  innerDigests,
  portableHash,
  signatureHex,
} from './digest.ts';
import { concatenate, type Formula, type SignedFields } from './formulas.ts';
import { upperCase, type UpperCaseDialect, upperCaseDialects } from './upper-case.ts';

export interface VerifyRequest<F extends Formula> extends GivenSignature {
  readonly formula: F;
  readonly fields: SignedFields<F>;
}

export interface VerifyCommand<F extends CommandFormula> extends GivenSignature {
  readonly formula: F;
  readonly fields: SignedCommandFields<F>;
}

/** A signature, and what it is checked with. */
export interface GivenSignature {
  /** The merchant's password, or both while it is being replaced; `undefined` for an unknown merchant, who is refused after the same work. */
  readonly password: string | readonly string[] | undefined;
  readonly digest: DigestSetting;
  /** The signature as received. */
  readonly given: string;
  /** Computes the digests; core's own unless given. In Node: `(algorithm, text) => crypto.hash(algorithm, text)`. */
  readonly hash?: HashHex | undefined;
}

export type Verification =
  /** `either`: the text does not distinguish the dialects. */
  | { readonly ok: true; readonly digest: InnerDigest; readonly dialect: UpperCaseDialect | 'either' }
  | { readonly ok: false };

/** Stands in for the password of an unknown merchant; it never verifies anything. */
const stranger = 'no-merchant-has-this-password-00';

/** Of an outer SHA-1. */
const requestLengths = [40];

/** Of the bare digest. */
const commandLengths = [32, 64];

/** The one in use, and the one before it. */
const mostPasswords = 2;

/**
 * Checks a signature against both inner digests and both upper-case dialects. All of them are always computed and compared
 * to the end, so that the time says neither how much of a guess was right nor whether the merchant exists.
 *
 * @example
 * const checked = verifySignature({ formula: 'session', fields, password, digest: 'both', given: request.hash });
 * if (!checked.ok) return hashIssue();
 */
export function verifySignature<F extends Formula>({ formula, fields, ...given }: VerifyRequest<F>): Verification {
  return verify(given, requestLengths, (password) => {
    const text = concatenate(formula, fields, password);
    const upper = { ascii: upperCase(text, 'ascii'), unicode: upperCase(text, 'unicode') };
    return (digest, dialect) => signatureHex(upper[dialect], digest, given.hash);
  });
}

/** Checks the signature of a server-to-server command, or of its callback, with the same care. */
export function verifyCommand<F extends CommandFormula>({ formula, fields, ...given }: VerifyCommand<F>): Verification {
  const { hash = portableHash } = given;
  return verify(given, commandLengths, (password) => {
    const signed = {
      ascii: commandText(formula, fields, password, 'ascii'),
      unicode: commandText(formula, fields, password, 'unicode'),
    };
    return (digest, dialect) => hash(digest, signed[dialect]);
  });
}

/** Computes a message's signature with a password. */
type Signer = (password: string) => (digest: InnerDigest, dialect: UpperCaseDialect) => string;

function verify(request: GivenSignature, lengths: readonly number[], signer: Signer): Verification {
  const passwords = [request.password ?? []].flat().filter((password) => password !== '');
  const given = lengths.includes(request.given.length) ? request.given.toLowerCase() : '';
  const matches: { readonly digest: InnerDigest; readonly dialect: UpperCaseDialect }[] = [];
  for (const { password, known } of padded(passwords)) {
    const sign = signer(password);
    for (const digest of innerDigests)
      for (const dialect of upperCaseDialects) {
        const same = equal(sign(digest, dialect), given);
        if (same && known && (request.digest === 'both' || request.digest === digest))
          matches.push({ digest, dialect });
      }
  }
  const [first, second] = matches;
  if (first === undefined) return { ok: false };
  return { ok: true, digest: first.digest, dialect: second?.digest === first.digest ? 'either' : first.dialect };
}

/** The same number of passwords for every merchant, so that the time does not reveal which of them is replacing one. */
function padded(passwords: readonly string[]): { readonly password: string; readonly known: boolean }[] {
  const known = passwords.map((password) => ({ password, known: true }));
  const missing = Math.max(0, mostPasswords - known.length);
  return [...known, ...Array.from({ length: missing }, () => ({ password: stranger, known: false }))];
}

/** Compares every character of two hex texts, whatever the first difference. */
function equal(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let at = 0; at < expected.length; at += 1) difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}
