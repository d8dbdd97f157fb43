import { errorAnswer } from '@railyard/core/protocol';
import { senderOf, tooMany, type HttpDeps } from './limits.ts';
import type { Context, Next } from 'hono';
import { readPath } from '@railyard/core';
import type { HeadedAnswer } from '../../idempotency.ts';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { getConnInfo } from '@hono/node-server/conninfo';
import { clientAddress, type TrustedProxies } from '../../deployment/addresses.ts';

/** The place of a request among the requests that are handled at once. */
export interface Place {
  /** Gives it up while the sender is waited for. */
  leave(): void;
  /** Has it again, unless there is none left. */
  take(): boolean;
}

/** The variables of every request. */
export interface HttpEnv {
  Variables: {
    requestId: string;
    client: string | undefined;
    /** The connection comes from a proxy that the configuration names. */
    proxied?: boolean;
    place?: Place;
    /** How a refusal looks at an address whose protocol has a form of its own. */
    refusalForm?: (answer: HeadedAnswer<object>) => HeadedAnswer<object>;
  };
}

/** A JSON error in the protocol's form. The text is for the merchant: no stack, no SQL, no secret. */
export function jsonError(
  c: Context<HttpEnv>,
  status: ContentfulStatusCode,
  message: string,
  code = String(status),
): Response {
  const answer = errorAnswer({
    http_code: status,
    error_code: code,
    error_message: message,
    request_id: c.get('requestId'),
  });
  const { body } = inForm(c, answer);
  return c.json({ http_code: status, ...body, request_id: c.get('requestId') }, status);
}

const inForm = (c: Context<HttpEnv>, answer: HeadedAnswer<object>): HeadedAnswer<object> =>
  c.get('refusalForm')?.(answer) ?? answer;

/** An answer of core or of the domain, written. Every error says its status and its request. */
export function jsonAnswer(c: Context<HttpEnv>, answer: HeadedAnswer<object>): Response {
  const { status, body, headers } = inForm(c, answer);
  const sent = status < 400 ? body : { http_code: status, ...body, request_id: c.get('requestId') };
  return new Response(JSON.stringify(sent), { status, headers: { ...headers, 'content-type': 'application/json' } });
}

/**
 * Logs a call of a merchant's server that was refused, with the id that its answer has.
 *
 * @param refused `call`: its path or its action; `merchantKey`: as claimed, and logged where there is such a merchant
 */
export function logRefused(
  { log, directory }: Pick<HttpDeps, 'log' | 'directory'>,
  c: Context<HttpEnv>,
  refused: { readonly call: unknown; readonly answer: HeadedAnswer<unknown>; readonly merchantKey: unknown },
): void {
  const { call, answer, merchantKey } = refused;
  log.info({
    event: 'request-refused',
    request: c.get('requestId'),
    action: call,
    status: answer.status,
    why: whyRefused(answer.body),
    ...(typeof merchantKey === 'string' && directory.find(merchantKey) !== undefined && { merchant: merchantKey }),
  });
}

/** The first problem stands for all: the merchant has the others. */
const whyRefused = (body: unknown): unknown =>
  readPath(body, 'errors.0.error_message') ?? readPath(body, 'error_message');

export function onlyPost(c: Context<HttpEnv>): Response {
  c.header('allow', 'POST');
  return jsonError(c, 405, 'Use POST at this address.');
}

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

/**
 * Gives each request an id of the service's own, never the caller's, and its sender's address; each answer gets its headers. A session or payment
 * that the request makes has the same id, so that an operator finds it by the id of the answer.
 */
export function commonHeaders(publicUrl: string, trusted: TrustedProxies, newId: () => string) {
  const secure = publicUrl.startsWith('https:');
  return async (c: Context<HttpEnv>, next: Next): Promise<void> => {
    c.set('requestId', newId());
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

/** Health is asked by machines of the deployment, assets cost nothing, notifications have a limit of their own. */
const NOT_COUNTED = /^\/(health$|(?:assets|sdk|notify)\/)/;

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
