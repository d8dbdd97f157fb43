import { equal } from './equal.ts';
import {
  callbackText,
  commandText,
  type CommandFormula,
  type SignedCallbackFields,
  type SignedCommandFields,
} from './command-formulas.ts';
import {
  type DigestSetting,
  type HashHex,
  type InnerDigest,
  innerDigests,
  portableHash,
  signatureHex,
} from './digest.ts';
import { concatenate, type Formula, type SignedFields } from './formulas.ts';
import { isAscii, upperCase, type UpperCaseDialect } from './upper-case.ts';

export interface VerifyRequest<F extends Formula> extends GivenSignature {
  readonly formula: F;
  readonly fields: SignedFields<F>;
}

export interface VerifyCommand<F extends CommandFormula> extends GivenSignature {
  readonly formula: F;
  readonly fields: SignedCommandFields<F>;
}

/** A signature, and the values to check it with. */
export interface GivenSignature {
  /** The merchant's password, or both while it is being replaced; `undefined` for an unknown merchant, who is refused after the same work. */
  readonly password: string | readonly string[] | undefined;
  readonly digest: DigestSetting;
  /** The signature as received. */
  readonly given: string;
  /** Computes the digests. Default: core's own. In Node: `(algorithm, text) => crypto.hash(algorithm, text)`. */
  readonly hash?: HashHex | undefined;
}

export type Verification =
  /** `either`: the text does not distinguish the dialects. */
  | { readonly ok: true; readonly digest: InnerDigest; readonly dialect: UpperCaseDialect | 'either' }
  | { readonly ok: false };

/** Stands in for the password of an unknown merchant; it never verifies anything. */
const stranger = 'no-merchant-has-this-password-00';

/** Of the bare digest. */
const commandLengths = [32, 64];

/** The one in use, and the one before it. */
const mostPasswords = 2;

/**
 * Checks a signature against both inner digests and both upper-case dialects. For a wrong one all of them are always computed and
 * compared to the end, so that the time says neither how much of a guess was right nor whether the merchant exists. The first that
 * is right ends the work: the answer says that it is right.
 *
 * @example
 * const checked = verifySignature({ formula: 'session', fields, password, digest: 'both', given: request.hash });
 * if (!checked.ok) return hashIssue();
 */
export function verifySignature<F extends Formula>(request: VerifyRequest<F>): Verification {
  // The length of an outer SHA-1.
  return verify(request, [40], {
    texts(password) {
      const text = concatenate(request.formula, request.fields, password);
      const unicode = upperCase(text, 'unicode');
      return { ascii: isAscii(text) ? unicode : upperCase(text, 'ascii'), unicode };
    },
    sign: (text, digest) => signatureHex(text, digest, request.hash),
  });
}

/** Checks the signature of a server-to-server command, or of its callback, with the same care. */
export function verifyCommand<F extends CommandFormula>({ formula, fields, ...given }: VerifyCommand<F>): Verification {
  const { hash = portableHash } = given;
  return verify(given, commandLengths, {
    texts: (password) => ({
      ascii: commandText(formula, fields, password, 'ascii'),
      unicode: commandText(formula, fields, password, 'unicode'),
    }),
    sign: (text, digest) => hash(digest, text),
  });
}

/** Checks the signature of a callback of S2S APM, whose hash covers every field, with the same care. */
export function verifyCallbackFields({
  fields,
  ...given
}: GivenSignature & { readonly fields: SignedCallbackFields }): Verification {
  const { hash = portableHash } = given;
  return verify(given, commandLengths, {
    texts: (password) => ({
      ascii: callbackText(fields, password, 'ascii'),
      unicode: callbackText(fields, password, 'unicode'),
    }),
    sign: (text, digest) => hash(digest, text),
  });
}

/** How a message is signed. */
interface Signer<Text> {
  /** Its texts with a password, upper-cased. */
  readonly texts: (password: string) => Readonly<Record<UpperCaseDialect, Text>>;
  readonly sign: (text: Text, digest: InnerDigest) => string;
}

function verify<Text extends string | Uint8Array>(
  request: GivenSignature,
  lengths: readonly number[],
  signer: Signer<Text>,
): Verification {
  const passwords = typeof request.password === 'string' ? [request.password] : (request.password ?? []);
  const given = lengths.includes(request.given.length) ? request.given.toLowerCase() : '';
  // The same number of passwords for every merchant, so that the time does not reveal which of them is replacing one.
  for (let at = 0; at < Math.max(mostPasswords, passwords.length); at += 1) {
    const password = passwords[at] ?? '';
    const known = password !== '';
    const texts = signer.texts(known ? password : stranger);
    const isGiven = (digest: InnerDigest, dialect: UpperCaseDialect) =>
      equal(signer.sign(texts[dialect], digest), given);
    for (const digest of innerDigests) {
      const isAllowed = known && (request.digest === 'both' || request.digest === digest);
      if (isGiven(digest, 'ascii') && isAllowed) {
        const isEither = texts.ascii === texts.unicode || isGiven(digest, 'unicode');
        return { ok: true, digest, dialect: isEither ? 'either' : 'ascii' };
      }
      if (isGiven(digest, 'unicode') && isAllowed) return { ok: true, digest, dialect: 'unicode' };
    }
  }
  return { ok: false };
}
