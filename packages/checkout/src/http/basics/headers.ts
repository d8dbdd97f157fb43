import { getConnInfo } from '@hono/node-server/conninfo';
import { randomUUID } from 'node:crypto';
import type { Context, Next } from 'hono';
import type { HttpEnv } from './answers.ts';
import { clientAddress, type TrustedProxies } from '../../deployment/client-address.ts';

/** Headers of every answer unless its route sets others: nothing is cached, framed, sniffed or loaded by other origins. */
const DEFAULTS = Object.entries({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});

/** A year, with subdomains. Browsers heed it over https only, so it is sent where payers come by https. */
const HSTS = 'max-age=31536000; includeSubDomains';

/** Gives each request an id of our own, whatever the caller calls it, and its sender's address; each answer its headers. */
export function commonHeaders(publicUrl: string, trusted: TrustedProxies) {
  const secure = publicUrl.startsWith('https:');
  return async (c: Context<HttpEnv>, next: Next): Promise<void> => {
    c.set('requestId', randomUUID());
    c.set('client', clientOf(c, trusted));
    c.set('proxied', isProxied(c, trusted));
    await next();
    const { headers } = c.res;
    // In place: by the context, each would copy the whole answer.
    for (const [name, value] of DEFAULTS) if (!headers.has(name)) headers.set(name, value);
    if (secure) headers.set('strict-transport-security', HSTS);
    headers.set('x-request-id', c.get('requestId'));
  };
}

function clientOf(c: Context<HttpEnv>, trusted: TrustedProxies): string | undefined {
  const remote = remoteOf(c);
  return remote === undefined ? undefined : clientAddress(remote, c.req.header('x-forwarded-for'), trusted);
}

function isProxied(c: Context<HttpEnv>, trusted: TrustedProxies): boolean {
  const remote = remoteOf(c);
  return remote !== undefined && trusted(remote);
}

/** Who is at the other end of the connection; `undefined` where there is none, as in tests of one route. */
export function remoteOf(c: Context): string | undefined {
  return c.env === undefined || !('incoming' in c.env) ? undefined : getConnInfo(c).remote.address;
}
