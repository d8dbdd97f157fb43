import type { Context } from 'hono';
import type { AppDeps } from './deps.ts';
import { PaymentBusyError } from '../payments/transitions/contention.ts';
import { NewerRequestError } from '../sessions/stored-request.ts';
import { DatabaseUnavailableError, DUPLICATE_WINDOW_MS } from '../storage/index.ts';
import { type HttpEnv, jsonError } from './basics/answers.ts';
import { BrokenOffError } from './basics/read-body.ts';
import { OverloadedError } from './basics/overloaded.ts';
import { turnedAway } from './shed.ts';
import { pageFailed, pageUnavailable } from './page/show-page.ts';

/**
 * Seconds until a request that failed temporarily may be repeated, by its effect. Where that is unknown, a session may have been
 * stored and its window armed: an earlier repeat would be refused as a duplicate. A request that only reads has none, and a payer's form is
 * no duplicate of another.
 */
const RETRY_AFTER = { none: 2, unknown: DUPLICATE_WINDOW_MS / 1000 + 1 } as const;

/** A session that is asked for twice moves nothing; a refund would. */
const WHAT_TO_DO = {
  none: 'Repeat the request after the time in Retry-After.',
  unknown:
    'Whether this request was carried out is not known. After the time in Retry-After repeat it with the same Idempotency-Key; without one, repeat it if it asks for a session, and else look at the payment first.',
} as const;

/** Addresses that a payer's browser shows. The status and the events of a page are read by its script. */
const SHOWN = /^\/auth\/(?![^/]*\/(?:status|events)$)/;

/** The log event of a temporary failure; `undefined` for any other. Only an unavailable database leaves the effect unknown. */
function passing(error: Error): { readonly event: string; readonly effect: 'none' | 'unknown' } | undefined {
  if (error instanceof DatabaseUnavailableError) return { event: 'database-unavailable', effect: error.effect };
  if (error instanceof NewerRequestError) return { event: 'newer-request', effect: 'none' };
  if (error instanceof PaymentBusyError) return { event: 'payment-busy', effect: 'none' };
  return undefined;
}

/** The answer to a request that failed for a reason of our own: 503 where the same request will work later, else 500. */
export const failed =
  ({ log }: Pick<AppDeps, 'log'>) =>
  (error: Error, c: Context<HttpEnv>): Response => {
    if (error instanceof OverloadedError) return turnedAway(c);
    // Not logged: any stranger can break off as often as they like.
    if (error instanceof BrokenOffError)
      return jsonError(c, 400, 'The body of the request ended before its time. Send the whole request again.');
    const known = passing(error);
    log[known === undefined ? 'error' : 'warn']({
      event: known?.event ?? 'request-failed',
      request: c.get('requestId'),
      method: c.req.method,
      error: error.message,
    });
    if (known === undefined && SHOWN.test(c.req.path)) return pageFailed(c);
    if (known === undefined)
      return jsonError(
        c,
        500,
        'Something went wrong here. Try again, and report the request_id to us if it happens again.',
      );
    if (SHOWN.test(c.req.path)) return pageUnavailable(c, RETRY_AFTER.none);
    const effect = c.req.method === 'GET' ? 'none' : known.effect;
    c.header('retry-after', String(RETRY_AFTER[effect]));
    return jsonError(c, 503, `The service is not available at the moment. ${WHAT_TO_DO[effect]}`);
  };
