import type { Context } from 'hono';
import { readStoredSession, type OpenSession } from '../../sessions/session.ts';
import { jsonAnswer, jsonError, type HttpEnv } from '../basics/answers.ts';
import { tooMany } from '../basics/limits.ts';
import type { MerchantApiDeps } from '../deps.ts';

/** Where a request has its token: in a header, but for a frame, which has it in its address. */
const tokenOf = (c: Context<HttpEnv>): string => c.req.header('token') ?? c.req.param('token') ?? '';

/** Handles requests with the token of a session in any state, and counts them for the token. A token of the hosted page is refused as an unknown one is. */
export const withToken =
  (context: MerchantApiDeps, handle: (c: Context<HttpEnv>, session: OpenSession) => Promise<Response>) =>
  async (c: Context<HttpEnv>): Promise<Response> => {
    const token = tokenOf(c);
    // Not counted: all who send none would share one count.
    if (token === '') return badToken(c);
    const hash = context.pageTokens.hash(token);
    const seconds = await context.limits.wait(c.req.method === 'POST' ? 'forms' : 'views', hash);
    if (seconds !== undefined) return jsonAnswer(c, tooMany(seconds));
    const stored = await context.stores.sessions.findByTokenHash(hash);
    if (stored?.payerPresence !== 'fields') return badToken(c);
    return handle(c, readStoredSession(context, stored));
  };

/** The answer to a token that is unknown, and to one with which no payment can begin any more (reference: Hosted Payment Fields, 4 errors). */
export const badToken = (c: Context<HttpEnv>): Response =>
  jsonError(c, 401, 'The token is invalid or expired. Get a new one by POST /api/v1/session/token.');
