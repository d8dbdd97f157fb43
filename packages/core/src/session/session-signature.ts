import type { DigestSetting, HashHex } from '../signature/digest.ts';
import { type SignOptions, signRequest } from '../signature/sign.ts';
import { type Verification, verifySignature } from '../signature/verify.ts';

/** The part of a session that its signature covers. */
export interface SignedOrder {
  readonly number: string;
  /** Left out of the signature when the request leaves it out. */
  readonly amount?: string | undefined;
  readonly currency: string;
  readonly description: string;
}

/**
 * The `hash` of a session request: the strings exactly as they are sent.
 *
 * @example signSession({ number: 'order-1234', amount: '100.99', currency: 'USD', description: 'Important gift' }, password)
 */
export function signSession(order: SignedOrder, password: string, options: SignOptions = {}): string {
  const { amount } = order;
  return amount === undefined
    ? signRequest('session_without_amount', order, password, options)
    : signRequest('session', { ...order, amount }, password, options);
}

export interface SessionSignatureOptions {
  /** Both while it is being replaced; `undefined` for an unknown merchant. */
  readonly password: string | readonly string[] | undefined;
  readonly digest: DigestSetting;
  /** Computes the digests. Default: core's own. */
  readonly hash?: HashHex | undefined;
}

/** Checks the `hash` of a parsed session request. */
export function verifySessionSignature(
  session: { readonly order: SignedOrder; readonly hash: string },
  options: SessionSignatureOptions,
): Verification {
  const { number, amount, currency, description } = session.order;
  const given = session.hash;
  return amount === undefined
    ? verifySignature({
        ...options,
        formula: 'session_without_amount',
        fields: { number, currency, description },
        given,
      })
    : verifySignature({ ...options, formula: 'session', fields: { number, amount, currency, description }, given });
}
