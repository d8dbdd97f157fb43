import type { SignedOrder } from '../session/session-signature.ts';
import { type DigestSetting, verifySignature } from '../signature/index.ts';
import { queryOf } from './read-fields.ts';

interface Signer {
  /** Your own record of the order, not what the message says of it. */
  readonly order: SignedOrder;
  /** The merchant password; both while it is being replaced. */
  readonly password: string | readonly string[];
  /** What was agreed with the service: `md5` unless given. */
  readonly digest?: DigestSetting;
}

export interface VerifyReturn extends Signer {
  /** The query of the address that the payer's browser opened, as it came. */
  readonly query: string;
}

export interface VerifiedReturn {
  readonly payment_id: string;
  readonly trans_id: string;
  readonly order_id: string;
}

export type ReturnProblem =
  /** `payment_id`, `trans_id`, `order_id` or `hash` is missing or stands twice. */
  'no-signature' | 'other-order' | 'wrong-hash';

const RETURN_PARAMETERS = ['payment_id', 'trans_id', 'order_id', 'hash'];

/**
 * Checks that a return names a payment of this order.
 *
 * **It does not prove that anything was paid.** The hash covers the payment's id and your order, not the outcome: the payer gets a right one after a
 * decline too, can read it in the address bar, and can open `success_url` with it. Show the order as your callbacks left it.
 *
 * @example verifyReturn({ query: url.search, order: { number: 'order-1234', amount: '100.99', currency: 'USD', description: 'Important gift' }, password })
 */
export function verifyReturn({
  query,
  order,
  ...signer
}: VerifyReturn):
  | { readonly ok: true; readonly return: VerifiedReturn }
  | { readonly ok: false; readonly reason: ReturnProblem } {
  const found = queryOf(query).filter(([name]) => RETURN_PARAMETERS.includes(name));
  const { payment_id, trans_id, order_id, hash } = Object.fromEntries(found);
  if (found.length !== RETURN_PARAMETERS.length) return { ok: false, reason: 'no-signature' };
  if (payment_id === undefined || trans_id === undefined || order_id === undefined || hash === undefined)
    return { ok: false, reason: 'no-signature' };
  if (order_id !== order.number) return { ok: false, reason: 'other-order' };
  if (!isSigned(payment_id, hash, { order, ...signer })) return { ok: false, reason: 'wrong-hash' };
  return { ok: true, return: { payment_id, trans_id, order_id } };
}

export interface VerifyCallbackHash extends Signer {
  /** `id` and `hash` of the callback. */
  readonly fields: { readonly id: string; readonly hash: string };
}

/**
 * Checks the legacy `hash` of a callback, for those who cannot check its headers yet.
 *
 * **It proves less than it seems.** It covers the payment's id and your order, not `status`, `order_status`, `type` or anything else, and it equals the
 * hash of the payer's return: whoever has seen one return address can make a "settled" callback that passes. With nothing else to go by, ask
 * `/api/v1/payment/status` before you deliver. `verifyCallback` proves the whole callback.
 */
export function verifyCallbackHash({ fields, ...signer }: VerifyCallbackHash): boolean {
  return isSigned(fields.id, fields.hash, signer);
}

/** Callbacks and returns sign the same fields in the same order. */
function isSigned(payment_id: string, given: string, { order, password, digest = 'md5' }: Signer): boolean {
  const { number, amount, currency, description } = order;
  const common = { payment_id, number, currency, description };
  const checked =
    amount === undefined
      ? verifySignature({ formula: 'callback_without_amount', fields: common, password, digest, given })
      : verifySignature({ formula: 'callback', fields: { ...common, amount }, password, digest, given });
  return checked.ok;
}
