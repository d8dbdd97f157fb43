import { createHash } from 'node:crypto';
import { upperCase, type UpperCaseDialect } from '@railyard/core/protocol';

export type Field = readonly [name: string, value: string];

export const MASK = '•••';

/** One way in which a hash may have been made. */
export interface Attempt {
  readonly fields: readonly Field[];
  readonly password: string;
  /** Between the fields. */
  readonly separator: string;
  /** Before the fields instead of behind them. */
  readonly passwordFirst: boolean;
  readonly upper: 'dialect' | 'none' | 'lower' | 'fields-only';
  readonly normalise: (text: string) => string;
  readonly bytes: 'utf8' | 'latin1';
  /** Where the password stands in a text that is put together in another way; of the fields, in place of what is above. */
  readonly lay?: (fields: readonly Field[], password: string, dialect: UpperCaseDialect) => string;
  /** The digests one over the other, innermost first; `undefined`: the protocol's two. */
  readonly digests: ((text: Buffer, inner: 'md5' | 'sha256') => string) | undefined;
}

/** As the protocol says. */
export function rightAttempt(fields: readonly Field[], password: string): Attempt {
  return {
    fields,
    password,
    separator: '',
    passwordFirst: false,
    upper: 'dialect',
    normalise: (text) => text,
    bytes: 'utf8',
    digests: undefined,
  };
}

/** As the protocol says of commands: the joined fields backwards and in upper case, the password behind them as it is, one digest. */
export const commandAttempt = (fields: readonly Field[], password: string): Attempt => ({
  ...rightAttempt(fields, password),
  upper: 'fields-only',
  normalise: backwards,
  digests: (text, inner) => hex(inner, text),
});

/** A text that core puts together, also with the mask in place of the password: that is beyond ASCII, where core turns bytes round. */
export function laid(text: (password: string) => string | Uint8Array, password: string): string {
  const made = text(password === MASK ? '\0' : password);
  const plain = typeof made === 'string' ? made : Buffer.from(made).toString('latin1');
  return password === MASK ? plain.replaceAll('\0', MASK) : plain;
}

export const backwards = (text: string): string => [...text].toReversed().join('');

export const hex = (algorithm: string, data: Buffer | string): string =>
  createHash(algorithm).update(data).digest('hex');

/** The text that is hashed, with the password or with a mask in its place. */
export function signedText(attempt: Attempt, dialect: UpperCaseDialect, password = attempt.password): string {
  const { fields, separator, passwordFirst, upper, normalise, lay } = attempt;
  if (lay !== undefined) return lay(fields, password, dialect);
  const own = normalise(fields.map(([, value]) => value).join(separator));
  const raised = upper === 'fields-only' ? upperCase(own, dialect) : own;
  const parts = passwordFirst ? [password, raised] : [raised, password];
  const text = parts.filter((part) => part !== '').join(separator);
  if (upper === 'lower') return text.toLowerCase();
  return upper === 'dialect' ? upperCase(text, dialect) : text;
}

/** The hash of this attempt, in lower-case hex or whatever its digests give. */
export function hashOf(attempt: Attempt, inner: 'md5' | 'sha256', dialect: UpperCaseDialect): string {
  const bytes = Buffer.from(signedText(attempt, dialect), attempt.bytes);
  return attempt.digests === undefined ? hex('sha1', hex(inner, bytes)) : attempt.digests(bytes, inner);
}
