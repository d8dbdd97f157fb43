import { statusWord } from '@railyard/core/payment';
import { returnState } from '@railyard/core/merchant';
import { newest } from '../deployment/catalogue-schema.ts';
import type { Payment } from '../storage/index.ts';
import { callbackHash } from './callback-hash.ts';
import type { OpenSession } from './open-session.ts';

/** The part of a payment that the return parameters report. */
type Returned = Pick<
  Payment,
  'id' | 'merchantReference' | 'method' | 'methodAlias' | 'cardBrand' | 'updatedAt' | 'state' | 'unknown'
>;

/**
 * A merchant's URL with the return parameters (protocol: Redirects). They replace parameters of the same names, so that none can
 * be forged; the rest of the merchant's query stays.
 */
export function returnUrl(url: string, session: OpenSession, payment: Returned | undefined): string {
  const target = new URL(url);
  if (payment === undefined) return target.href;
  const { config } = session.merchant;
  const parameters = {
    payment_id: payment.id,
    trans_id: payment.merchantReference,
    order_id: session.request.order.number,
    state: stateFor(session, payment),
    hash: config.returnHash ? callbackHash(session, payment.id) : undefined,
  };
  // The parameters that the merchant has switched on (protocol: Return additional parameters).
  const further = {
    payment_method: payment.methodAlias,
    brand: payment.cardBrand ?? payment.method,
    checkout_payment_method: payment.methodAlias,
  };
  const added = new Map<string, string | undefined>([
    ...config.returnData.map((name) => [name, further[name]] as const),
    ...Object.entries(parameters),
  ]);
  // Not by `searchParams`, which writes the whole query anew: the merchant's part may be signed, or be a template (RFC 3986, 2.4).
  const kept = target.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !added.has(nameOf(pair)));
  const ours = new URLSearchParams(
    [...added].flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
  );
  target.search = [...kept, ours.toString()].join('&');
  return target.href;
}

/** The name of a pair as a reader of forms sees it. */
const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? '';

/** So long after its last change a return says how a payment stands. */
const STATE_SECONDS = 24 * 3600;

/** How the payment stands, signed with the callback secret; absent where the merchant has none. */
function stateFor({ request, merchant }: OpenSession, payment: Returned): string | undefined {
  const { callbackSecret } = merchant.config;
  if (callbackSecret === undefined) return undefined;
  return returnState(newest(callbackSecret), {
    merchant_key: request.merchant_key,
    payment_id: payment.id,
    trans_id: payment.merchantReference,
    order_id: request.order.number,
    status: statusWord(payment),
    expires: Math.floor(payment.updatedAt.getTime() / 1000) + STATE_SECONDS,
  });
}
