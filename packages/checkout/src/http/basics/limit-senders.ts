import type { Context, Next } from 'hono';
import type { HttpDeps } from './deps.ts';
import { type HttpEnv, jsonAnswer } from './answers.ts';
import { senderOf, tooMany } from './rate-limits.ts';

/** Health is asked by machines of the deployment, assets cost nothing, notifications have a limit of their own. */
const NOT_COUNTED = /^\/(health$|assets\/|notify\/)/;

/** Counts each request for its address, before anything of it is read. */
export function limitAddresses({ limits }: Pick<HttpDeps, 'limits'>) {
  return async (c: Context<HttpEnv>, next: Next): Promise<Response | void> => {
    if (NOT_COUNTED.test(c.req.path)) return next();
    const seconds = await limits.wait('address', senderOf(c.get('client')));
    return seconds === undefined ? next() : jsonAnswer(c, tooMany(seconds));
  };
}

/** Counts forms and views of one payment page. */
export function limitPages({ limits, pageTokens }: Pick<HttpDeps, 'limits' | 'pageTokens'>) {
  return async (c: Context<HttpEnv>, next: Next): Promise<Response | void> => {
    const token = pageTokens.hash(c.req.path.split('/')[2] ?? '');
    const seconds = await limits.wait(c.req.method === 'POST' ? 'forms' : 'views', token);
    if (seconds === undefined) return next();
    return c.text(`Too many requests. Try again in ${seconds} seconds.`, 429, { 'retry-after': String(seconds) });
  };
}
