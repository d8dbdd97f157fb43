import type { Context } from 'hono';
import type { ServiceContext } from '../service-context.ts';
import { NewerRequestError } from '../sessions/stored-request.ts';
import { DatabaseUnavailableError, DUPLICATE_WINDOW_MS } from '../storage/index.ts';
import { type HttpEnv, jsonError } from './answers.ts';
import { pageFailed, pageUnavailable } from './show-page.ts';

/**
 * Seconds until a request that failed for want of the database may come again, by what became of it. Where nobody knows, a session
 * may have been stored and its window armed: a merchant who comes back earlier would be told that his request is a duplicate.
 */
const RETRY_AFTER = { none: 2, unknown: DUPLICATE_WINDOW_MS / 1000 + 1 } as const;

/** A session that is asked for twice moves nothing; a refund would. */
const WHAT_TO_DO = {
  none: 'Repeat the request after the time in Retry-After.',
  unknown:
    'Whether this request was carried out is not known. After the time in Retry-After repeat it with the same Idempotency-Key; without one, repeat it if it asks for a session, and else look at the payment first.',
} as const;

/** What a payer's browser shows. The status and the events of a page are read by its script. */
const SHOWN = /^\/auth\/(?![^/]*\/(?:status|events)$)/;

/** The answer to a request that failed for a reason of our own: 503 while the database is away or the request belongs to a newer process, else 500. */
export const failed =
  ({ log }: Pick<ServiceContext, 'log'>) =>
  (error: Error, c: Context<HttpEnv>): Response => {
    const away = error instanceof DatabaseUnavailableError;
    const newer = error instanceof NewerRequestError;
    log[away || newer ? 'warn' : 'error']({
      event: away ? 'database-unavailable' : newer ? 'newer-request' : 'request-failed',
      request: c.get('requestId'),
      method: c.req.method,
      error: error.message,
    });
    if (!away && !newer && SHOWN.test(c.req.path)) return pageFailed(c);
    if (!away && !newer)
      return jsonError(c, 500, 'Something went wrong here. Try again, and tell us the request_id if it stays.');
    // Another process may answer it, and this one has done nothing.
    const effect = away ? error.effect : 'none';
    if (SHOWN.test(c.req.path)) return pageUnavailable(c, RETRY_AFTER[effect]);
    c.header('retry-after', String(RETRY_AFTER[effect]));
    return jsonError(c, 503, `The service is not available at the moment. ${WHAT_TO_DO[effect]}`);
  };
