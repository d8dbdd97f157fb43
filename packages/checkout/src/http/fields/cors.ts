import type { Context, Next } from 'hono';
import type { MerchantConfig } from '../../deployment/catalogue.ts';
import { jsonError, type HttpEnv } from '../basics/answers.ts';
import type { MerchantApiDeps } from '../deps.ts';

/** So long a browser asks no more whether it may send. */
const MAX_AGE_SECONDS = '600';

/**
 * Whether a page may send a request with a token: a browser names the page's origin, a server none. The token's merchant lists the origins
 * (`fieldOrigins`).
 */
export function mayCall(c: Context<HttpEnv>, { fieldOrigins }: Pick<MerchantConfig, 'fieldOrigins'>): boolean {
  const origin = c.req.header('origin');
  return origin === undefined || fieldOrigins.includes(origin);
}

/** The headers that tell a caller when to go on, and which request to report. */
const EXPOSED = 'retry-after, x-request-id';

/**
 * Lets pages read every answer, also of a request that was turned away before its token was read. So the token may be that of any merchant who lists
 * the page's origin.
 */
export function readable({ directory }: Pick<MerchantApiDeps, 'directory'>) {
  return async (c: Context<HttpEnv>, next: Next): Promise<void> => {
    await next();
    const origin = c.req.header('origin');
    const { headers } = c.res;
    headers.append('vary', 'origin');
    if (origin === undefined || !isListed(directory, origin)) return;
    headers.set('access-control-allow-origin', origin);
    headers.set('access-control-expose-headers', EXPOSED);
  };
}

const isListed = (directory: MerchantApiDeps['directory'], origin: string): boolean =>
  directory.merchants().some(({ config }) => config.fieldOrigins.includes(origin));

/** The question of a browser before it sends a token. */
export function preflight({ directory }: MerchantApiDeps, c: Context<HttpEnv>): Response {
  if (!isListed(directory, c.req.header('origin') ?? ''))
    return jsonError(c, 403, 'No merchant lists this origin in fieldOrigins.');
  c.header('access-control-allow-methods', 'POST');
  c.header('access-control-allow-headers', 'content-type, token');
  c.header('access-control-max-age', MAX_AGE_SECONDS);
  return c.body(null, 204);
}
