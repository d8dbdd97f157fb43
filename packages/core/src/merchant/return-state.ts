import { utf8ToBytes } from '@noble/hashes/utils.js';
import { isMadeBy, signatureOf } from './webhook-signature.ts';

/** The values that the `state` of a return covers. */
export interface ReturnFacts {
  /** The key that the session was created with. */
  readonly merchant_key: string;
  readonly payment_id: string;
  readonly trans_id: string;
  /** The order's number. */
  readonly order_id: string;
  /** How the payment stood, in the words of the status lookup. */
  readonly status: string;
  /** Seconds since 1970 after which it says nothing any more. */
  readonly expires: number;
}

/**
 * The parameter `state` of a return: `<status>.<expires>.<signature>`.
 *
 * @param secret the merchant's callback secret, `whsec_` and Base64
 */
export function returnState(secret: string, facts: ReturnFacts): string {
  return `${facts.status}.${facts.expires}.${signatureOf(secret, bytesOf(facts))}`;
}

const FORM = /^([a-z]{1,32})\.(\d{1,12})\.(v1,[A-Za-z0-9+/]+=*)$/;

/** Status and expiry of a `state`, if one of the secrets made it. */
export function readReturnState(
  state: string,
  secrets: readonly string[],
  of: Omit<ReturnFacts, 'status' | 'expires'>,
): Pick<ReturnFacts, 'status' | 'expires'> | undefined {
  const [, status, expires, signature] = FORM.exec(state) ?? [];
  if (status === undefined || signature === undefined) return undefined;
  const said = { status, expires: Number(expires) };
  return isMadeBy(signature, secrets, bytesOf({ ...of, ...said })) ? said : undefined;
}

/** It begins with a line of its own, which no header can hold: it is never the text of a callback or of a request. */
function bytesOf({ merchant_key, payment_id, trans_id, order_id, status, expires }: ReturnFacts): Uint8Array {
  return utf8ToBytes(['return', merchant_key, payment_id, trans_id, order_id, status, expires].join('\n'));
}
