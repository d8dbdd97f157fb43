import { callbackHash } from '../callbacks/callback-fields.ts';
import type { Payment } from '../storage/index.ts';
import type { OpenSession } from './open-session.ts';

/**
 * A merchant's URL with the return parameters (protocol: Redirects). They replace parameters of the same names, so that nobody
 * can send others along; the rest of the merchant's query stays.
 */
export function returnUrl(
  url: string,
  session: OpenSession,
  payment: Pick<Payment, 'id' | 'reference' | 'method' | 'methodAlias' | 'cardBrand'> | undefined,
): string {
  const target = new URL(url);
  if (payment === undefined) return target.href;
  const parameters = {
    payment_id: payment.id,
    trans_id: payment.reference,
    order_id: session.request.order.number,
    hash: callbackHash(session, payment.id),
  };
  // What the merchant has switched on (protocol: Return additional parameters).
  const further = {
    payment_method: payment.methodAlias,
    brand: payment.cardBrand ?? payment.method,
    checkout_payment_method: payment.methodAlias,
  };
  for (const name of session.merchant.config.returnData) target.searchParams.set(name, further[name]);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return target.href;
}
