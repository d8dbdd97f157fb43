import type { Context, Next } from 'hono';
import { type HttpEnv, jsonError } from './basics/answers.ts';
import { pageUnavailable } from './page/show-page.ts';

/** Requests that are handled at once in one process; more would make all of them slower, and none of them end sooner. */
const MOST = 1000;
/** The `Retry-After` of a request that is turned away. */
const RETRY_SECONDS = 2;

/** Asked by the machines of the deployment, who must see a process that is busy. */
const ALWAYS = /^\/health$/;
/** Pages of payments that have begun, and providers' notifications about them. */
const GOES_ON = /^\/(auth|notify)\//;

/**
 * Turns requests away while too many are under way: 503 with Retry-After, before anything of them is done. What lets payments go on
 * that have begun has as many places again for itself. A request has no place while its body is on its way: slow senders would keep
 * all others out.
 */
export function shedOverload(most: number = MOST) {
  let underWay = 0;
  return async (c: Context<HttpEnv>, next: Next): Promise<Response | void> => {
    const { path } = c.req;
    if (ALWAYS.test(path)) return next();
    const limit = GOES_ON.test(path) ? 2 * most : most;
    let places = 0;
    const leave = () => {
      underWay -= places;
      places = 0;
    };
    const take = () => {
      if (underWay >= limit) return false;
      underWay += 1;
      places = 1;
      return true;
    };
    if (!take()) return turnedAway(c);
    c.set('place', { leave, take });
    try {
      return await next();
    } finally {
      leave();
    }
  };
}

/** The answer to a request that there is no place for. */
export function turnedAway(c: Context<HttpEnv>): Response {
  if (c.req.path.startsWith('/auth/')) return pageUnavailable(c, RETRY_SECONDS);
  c.header('retry-after', String(RETRY_SECONDS));
  return jsonError(c, 503, `The service has too much to do. Send this request again in ${RETRY_SECONDS} seconds.`);
}
