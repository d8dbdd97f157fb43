import type { SignedOrder } from '../session/session-signature.ts';
import type { DigestSetting } from '../signature/digest.ts';
import { verifySignature } from '../signature/verify.ts';
import { queryOf } from './read-fields.ts';
import { readReturnState } from './return-state.ts';

interface Signer {
  /** Your own record of the order, not what the message says of it. */
  readonly order: SignedOrder;
  /** The merchant password; both while it is being replaced. */
  readonly password: string | readonly string[];
  /** The digest agreed with the service. Default: `md5`. */
  readonly digest?: DigestSetting;
}

export interface VerifyReturn {
  /** Your own record of the order, not what the message says of it. */
  readonly order: SignedOrder;
  /** The query of the address that the payer's browser opened, as it came. */
  readonly query: string;
  /** The callback secret, both while it is being replaced: `state` is checked, and the legacy hash is not looked at. */
  readonly secret?: string | readonly string[] | undefined;
  /** With `secret`: the key that the session was created with. */
  readonly merchantKey?: string | undefined;
  /** With `secret`: milliseconds since 1970, `Date.now()`. */
  readonly now?: number | undefined;
  /** Without `secret`: the merchant password, both while it is being replaced. */
  readonly password?: string | readonly string[] | undefined;
  /** Without `secret`: the digest agreed with the service. Default: `md5`. */
  readonly digest?: DigestSetting | undefined;
}

export interface VerifiedReturn {
  readonly payment_id: string;
  readonly trans_id: string;
  readonly order_id: string;
  /** How the payment stood when the payer was led back, in the words of the status lookup. Only where `state` was checked. */
  readonly status?: string;
}

export type ReturnProblem =
  /** `payment_id`, `trans_id`, `order_id`, or the checked `state` or `hash`, is missing or there twice. */
  'no-signature' | 'other-order' | 'wrong-hash' | 'wrong-state' | 'expired-state';

const RETURN_PARAMETERS = ['payment_id', 'trans_id', 'order_id', 'state', 'hash'];

/** The result of checking a return. */
type CheckedReturn =
  | { readonly ok: true; readonly return: VerifiedReturn }
  | { readonly ok: false; readonly reason: ReturnProblem };

/**
 * Checks that a return names a payment of this order. With the callback secret it also says how the payment stood: `state` covers status and time.
 *
 * **Without it nothing is known of the outcome.** The legacy hash covers the payment's id and your order: the payer gets a right one after a
 * decline too, can read it in the address bar, and can open `success_url` with it. Show the order as your callbacks left it.
 *
 * @throws RangeError where neither `secret`, `merchantKey` and `now` nor `password` is given
 * @example verifyReturn({ query: url.search, order, secret: process.env.CALLBACK_SECRET, merchantKey, now: Date.now() })
 */
export function verifyReturn({ query, order, ...signer }: VerifyReturn): CheckedReturn {
  const found = queryOf(query).filter(([name]) => RETURN_PARAMETERS.includes(name));
  const { payment_id, trans_id, order_id, state, hash } = Object.fromEntries(found);
  const isTwice = new Set(found.map(([name]) => name)).size < found.length;
  const proof = signer.secret === undefined ? hash : state;
  if (isTwice || payment_id === undefined || trans_id === undefined || order_id === undefined || proof === undefined)
    return { ok: false, reason: 'no-signature' };
  if (order_id !== order.number) return { ok: false, reason: 'other-order' };
  const ids = { payment_id, trans_id, order_id };
  return signer.secret === undefined ? byHash(ids, proof, order, signer) : byState(ids, proof, signer);
}

type Ids = Omit<VerifiedReturn, 'status'>;

function byHash(
  ids: Ids,
  hash: string,
  order: SignedOrder,
  { password, digest }: Partial<VerifyReturn>,
): CheckedReturn {
  if (password === undefined) throw new RangeError('Give the callback secret or the merchant password.');
  const signer = { order, password, ...(digest !== undefined && { digest }) };
  return isSigned(ids.payment_id, hash, signer) ? { ok: true, return: ids } : { ok: false, reason: 'wrong-hash' };
}

function byState(ids: Ids, state: string, { secret = [], merchantKey, now }: Partial<VerifyReturn>): CheckedReturn {
  // Without types a forgotten clock would let any age through.
  if (merchantKey === undefined || now === undefined || !Number.isFinite(now))
    throw new RangeError('With the callback secret, give merchantKey, and now in milliseconds since 1970.');
  const said = readReturnState(state, [secret].flat(), { merchant_key: merchantKey, ...ids });
  if (said === undefined) return { ok: false, reason: 'wrong-state' };
  if (said.expires * 1000 < now) return { ok: false, reason: 'expired-state' };
  return { ok: true, return: { ...ids, status: said.status } };
}

export interface VerifyCallbackHash extends Signer {
  /** `id` and `hash` of the callback. */
  readonly fields: { readonly id: string; readonly hash: string };
}

/**
 * Checks the legacy `hash` of a callback, for those who cannot check its headers yet.
 *
 * **It proves less than it seems.** It covers the payment's id and your order, not `status`, `order_status`, `type` or anything
 * else, and it equals the hash of the payer's return: an attacker who has seen one return address can make a "settled"
 * callback that passes. With nothing else to go by, ask `/api/v1/payment/status` before you deliver. `verifyCallback` proves the
 * whole callback.
 */
export function verifyCallbackHash({ fields, ...signer }: VerifyCallbackHash): boolean {
  return isSigned(fields.id, fields.hash, signer);
}

/** Callbacks and returns sign the same fields in the same order. */
function isSigned(payment_id: string, given: string, { order, password, digest = 'md5' }: Signer): boolean {
  const { amount } = order;
  const fields = { ...order, payment_id };
  const signed = { password, digest, given };
  const checked =
    amount === undefined
      ? verifySignature({ formula: 'callback_without_amount', fields, ...signed })
      : verifySignature({ formula: 'callback', fields: { ...fields, amount }, ...signed });
  return checked.ok;
}
