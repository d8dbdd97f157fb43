import { hash } from 'node:crypto';
import type { HandOrder } from './session.ts';

const stranger = 'no-merchant-has-this-password-00';

/**
 * Both digests in both ways of upper-casing, for the password and the one before it: of a wrong signature always all of them, compared to
 * the end, as the protocol's own check does it, so that time tells nothing. The first that is right ends the work.
 */
export function isHandSigned(order: HandOrder, given: string, password: string | undefined): boolean {
  const { number, amount, currency, description } = order;
  const lower = given.length === 40 ? given.toLowerCase() : '';
  for (const [secret, known] of [
    [password ?? stranger, password !== undefined],
    [stranger, false],
  ] as const) {
    const text = number + amount + currency + description + secret;
    const upper = text.toUpperCase();
    const ascii = /^[\0-\x7f]*$/.test(text) ? upper : text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
    for (const inner of ['md5', 'sha256'])
      for (const each of [ascii, upper]) if (isEqual(hash('sha1', hash(inner, each)), lower) && known) return true;
  }
  return false;
}

function isEqual(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let at = 0; at < expected.length; at += 1) difference |= expected.charCodeAt(at) ^ given.charCodeAt(at);
  return difference === 0;
}
