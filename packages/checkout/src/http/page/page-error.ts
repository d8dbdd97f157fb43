import type { Context } from 'hono';
import type { PageDeps } from './deps.ts';
import { NewerRequestError } from '../../sessions/stored-request.ts';
import { DatabaseUnavailableError } from '../../storage/index.ts';
import type { HttpEnv } from '../basics/answers.ts';
import { type LoadedSession, loadSession } from './load-session.ts';
import { BrokenOffError } from '../basics/read-body.ts';
import { OverloadedError } from '../basics/overloaded.ts';
import { showError } from './show-page.ts';
import { backToPage } from './ways-out.ts';

/**
 * Answers a fault of our own at a known session with its error page, which leads to `error_url` (protocol: error_url). After a form whose
 * payment is under way the page says how that stands: money may have moved.
 */
export async function orError(
  context: PageDeps,
  c: Context<HttpEnv>,
  loaded: LoadedSession,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const isPassing = [DatabaseUnavailableError, NewerRequestError, OverloadedError, BrokenOffError].some(
      (each) => error instanceof each,
    );
    if (isPassing) throw error;
    context.log.error({
      event: 'request-failed',
      request: c.get('requestId'),
      method: c.req.method,
      error: error instanceof Error ? error.message : 'unknown',
    });
    const now = (await loadSession(context, loaded.token)) ?? loaded;
    const { payment } = now;
    const isOpen = payment?.state === 'created' || payment?.state === 'pending';
    return isOpen && c.req.method === 'POST' ? backToPage(c, now) : showError(context, c, now);
  }
}
