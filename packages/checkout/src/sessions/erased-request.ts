import { openText, sealedAt, type Sealer } from '../secrets/index.ts';
import type { Session } from '../storage/index.ts';
import { acceptedText, readAccepted } from './stored-request.ts';

/** Stands where the merchant's words about the order were. */
export const ERASED = 'Removed after the retention period.';

/**
 * The rest of a request once its personal data is erased, sealed: the order's number and amount, and the fields that decide how
 * later events of the provider are passed on. All other fields are removed.
 *
 * @throws Error when the request cannot be read
 */
export function erasedRequest(sealer: Sealer, { id, requestText, createdAt }: Session): string {
  const text = openText(sealer, requestText, sealedAt.request(id));
  const read = readAccepted(text, createdAt.toISOString().slice(0, 10));
  if (!read.ok) throw new Error(`Session ${id}: its request cannot be read.`);
  const { session, command } = read;
  const { number, amount, currency } = session.order;
  const left = {
    merchant_key: session.merchant_key,
    operation: session.operation,
    // Its page leads back to the shop, and says nothing else.
    success_url: new URL(session.success_url).origin,
    session_expiry: session.session_expiry,
    hash: '',
    order: { number, currency, description: ERASED, ...(amount !== undefined && { amount }) },
    amount: session.amount,
    ...(session.methods && { methods: session.methods }),
    req_token: session.req_token,
    auth: session.auth,
    recurring_init: session.recurring_init,
    vat_calc: session.vat_calc,
    recurring_consent_required: session.recurring_consent_required,
  };
  return sealer.seal(acceptedText(left, command && { ...command, payer: {} }), sealedAt.request(id));
}
