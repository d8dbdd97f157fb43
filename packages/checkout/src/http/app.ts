import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sql } from 'kysely';
import { Hono, type Context, type Next } from 'hono';
import { accepts } from 'hono/accepts';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import type { Log } from '../log/log.ts';
import type { Breakers } from '../payments/runs/breakers.ts';
import type { AppDeps } from './deps.ts';
import { commonHeaders, jsonAnswer, jsonError, limitAddresses, type HttpEnv } from './basics/answers.ts';
import { PaymentBusyError } from '../payments/change/deps.ts';
import { NewerRequestError } from '../sessions/session.ts';
import { DUPLICATE_WINDOW_MS, DatabaseUnavailableError } from '../storage/index.ts';
import { BrokenOffError, readBytes } from './basics/request.ts';
import { OverloadedError, senderOf, tooMany } from './basics/limits.ts';
import { pageFailed, pageUnavailable } from './page/show.ts';
import { encoded, ENCODINGS, merchantScripts, type PageAsset, pageAssets } from '../page/index.ts';
import { apiRoutes } from './merchant-api/api-routes.ts';
import { trustedProxies } from '../deployment/addresses.ts';
import type { Changes } from './basics/server.ts';
import { COMMAND_PATHS, commandRoutes, inCommandForm } from './commands/routes.ts';
import { readable } from './fields/cors.ts';
import { fieldRoutes, processingRoutes } from './fields/routes.ts';
import { traceRequests } from '../telemetry.ts';
import { pageRoutes } from './page/routes.ts';
import { domainFile } from './page/wallet-routes.ts';
import { takeNotification } from '../notifications/receive.ts';
import { withoutTrailingSlashes } from '@railyard/core/protocol';

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

/**
 * Seconds until a request that failed temporarily may be repeated, by its effect. Where that is unknown, a session may have been
 * stored and its window armed: an earlier repeat would be refused as a duplicate. A request that only reads has none, and a payer's form is
 * no duplicate of another.
 */
const RETRY_AFTER = { none: 2, unknown: DUPLICATE_WINDOW_MS / 1000 + 1, once: 2 } as const;

/** A session that is asked for twice moves nothing; a refund would. */
const WHAT_TO_DO = {
  none: 'Repeat the request after the time in Retry-After.',
  unknown:
    'Whether this request was carried out is not known. After the time in Retry-After repeat it with the same Idempotency-Key; without one, repeat it if it asks for a session, and else look at the payment first.',
  fault:
    'Whether this request was carried out is not known: look at the payment or the order before you send it again.',
  once: 'Whether a payment has begun is not known. After the time in Retry-After send the same request again with the same token: a card that was entered pays once.',
} as const;

/** Payments of hosted fields, which have no key for repeats and need none. */
const PAYS_ONCE = '/api/v1/processing/';

/** `once`: it may have taken effect, and will not a second time. */
function effectOn(c: Context<HttpEnv>, effect: 'none' | 'unknown'): keyof typeof RETRY_AFTER {
  if (c.req.method === 'GET' || effect === 'none') return 'none';
  return c.req.path.startsWith(PAYS_ONCE) ? 'once' : effect;
}

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
        `Something went wrong here. ${c.req.method === 'GET' ? 'Try again.' : WHAT_TO_DO.fault} Report the request_id to us if it happens again.`,
      );
    if (SHOWN.test(c.req.path)) return pageUnavailable(c, RETRY_AFTER.none);
    const effect = effectOn(c, known.effect);
    c.header('retry-after', String(RETRY_AFTER[effect]));
    return jsonError(c, 503, `The service is not available at the moment. ${WHAT_TO_DO[effect]}`);
  };

const ANSWER_MS = 2000;
/** So long one answer of the database is good for everybody who asks. */
const FRESH_MS = 1000;

/**
 * `GET /health`: 200 while the service takes requests and its database answers, 503 otherwise. `degraded`: an account's circuit breaker is
 * not closed, or the log cannot be written. Strangers may ask, so which account it is stands in the log alone. The database is asked once a
 * second, however many ask.
 *
 * @param withinMs how long the database may take
 * @param clock milliseconds that never go back
 */
export const health = (
  {
    db,
    stopping,
    breakers,
    log,
  }: Pick<AppDeps, 'db' | 'stopping'> & {
    readonly breakers: Pick<Breakers, 'broken'>;
    readonly log?: Pick<Log, 'state'>;
  },
  withinMs = ANSWER_MS,
  clock: () => number = () => performance.now(),
) => {
  const asked = shared(db, clock);
  return async (c: Context<HttpEnv>): Promise<Response> => {
    if (stopping.aborted) return c.json({ status: 'stopping' }, 503);
    if (!(await inTime(asked(), withinMs))) return c.json({ status: 'database does not answer' }, 503);
    const { isStuck = false } = log?.state?.() ?? {};
    return c.json({ status: breakers.broken() || isStuck ? 'degraded' : 'ok' });
  };
};

/** Whether the database answers: one question under way at a time, and its answer as long as it is fresh. */
function shared(db: AppDeps['db'], clock: () => number): () => Promise<boolean> {
  let underWay: Promise<boolean> | undefined;
  let last: { readonly answers: boolean; readonly at: number } | undefined;
  const ask = async () => {
    const answers = await sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
    last = { answers, at: clock() };
    underWay = undefined;
    return answers;
  };
  return () => {
    if (last !== undefined && clock() - last.at < FRESH_MS) return Promise.resolve(last.answers);
    underWay ??= ask();
    return underWay;
  };
}

async function inTime(asked: Promise<boolean>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), withinMs);
  });
  const answered = await Promise.race([asked, late]);
  clearTimeout(timer);
  return answered;
}

const METHODS = ['POST', 'PUT', 'GET'] as const;

/** Where providers send their notifications: one address per MID, with the paths below it. */
export function notificationRoutes(context: AppDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  const base = withoutTrailingSlashes(context.config.publicUrl);
  const take = async (c: Context<HttpEnv>, id: string) => {
    const mid = context.directory.mid(id);
    if (mid === undefined) return jsonError(c, 404, 'There is no such address.');
    const sender = senderOf(c.get('client'));
    const seconds = await context.limits.wait('notifications', `${mid.id} ${sender}`);
    if (seconds !== undefined) return jsonAnswer(c, tooMany(seconds));
    const body = await readBytes(c);
    if (!body.ok) return jsonError(c, 413, 'The notification is larger than 256 KB.');
    const { pathname, search } = new URL(c.req.url);
    const arrived = {
      method: c.req.method,
      // The public address that the provider was given; behind a proxy the request has another one.
      url: `${base}${pathname}${search}`,
      path: belowMid(pathname),
      headers: c.req.header(),
      proxied: c.get('proxied') === true,
      bytes: body.bytes,
      body: Buffer.from(body.bytes).toString('utf8'),
    };
    const answer = await takeNotification(context, mid, arrived, sender);
    // A connector may repeat a stranger's text there.
    const headers = { 'x-content-type-options': 'nosniff' };
    return new Response(answer.body === '' ? null : answer.body, { status: answer.status, headers });
  };
  for (const path of ['/:mid', '/:mid/*'] as const) {
    // A HEAD reaches the route of GET, and carries no notification.
    routes.on([...METHODS], path, (c) => (c.req.method === 'HEAD' ? notAllowed(c) : take(c, c.req.param('mid'))));
    routes.all(path, notAllowed);
  }
  return routes;
}

function notAllowed(c: Context<HttpEnv>): Response {
  c.header('allow', METHODS.join(', '));
  return jsonError(c, 405, `Notifications arrive by ${METHODS.join(', ')}.`);
}

/** The path behind `/notify/<mid>`, as sent: the MID may have been written with escapes. */
function belowMid(pathname: string): string {
  const [, , , ...below] = pathname.split('/');
  return below.map((each) => `/${each}`).join('');
}

/** Of what pages of every origin may load. A browser asks each time whether it has changed, so that no script meets the hash of another release. */
const FOR_PAGES = {
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

type SentFile = Pick<PageAsset, 'body' | 'contentType' | 'integrity'>;

/** `GET /openapi.json`: the document that core publishes, with the address of this service. It is read when it is first asked for. */
function openApi({ publicUrl }: Pick<AppDeps['config'], 'publicUrl'>): (c: Context<HttpEnv>) => Promise<Response> {
  let document: SentFile | undefined;
  return (c) => {
    document ??= openApiAt(publicUrl);
    return sendFile(c, document, FOR_PAGES);
  };
}

function openApiAt(publicUrl: string): SentFile {
  const file = createRequire(import.meta.url).resolve('@railyard/core/openapi.json');
  const document: object = JSON.parse(readFileSync(file, 'utf8'));
  const body = JSON.stringify({ ...document, servers: [{ url: withoutTrailingSlashes(publicUrl) }] });
  return { body, contentType: 'application/json', integrity: createHash('sha256').update(body).digest('base64') };
}

/**
 * Sends a file with Brotli where the browser takes it, else gzip, else as it is; preferences (`q`) between them do not count. Pages are sent uncompressed. They hold secrets of the payer
 * beside entries, and the size of a compressed answer says something about its text (BREACH).
 */
async function sendFile(
  c: Context<HttpEnv>,
  file: SentFile,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const encoding = accepts(c, {
    header: 'Accept-Encoding',
    supports: [...ENCODINGS],
    default: 'identity',
    match: (accepted, { supports, default: none }) =>
      supports.find((each) => accepted.some(({ type, q }) => type.toLowerCase() === each && q > 0)) ?? none,
  });
  const bytes = await encoded(file, encoding);
  return c.body(bytes, 200, {
    ...headers,
    'content-type': file.contentType,
    'content-length': String(bytes.byteLength),
    ...(encoding !== 'identity' && { 'content-encoding': encoding }),
    vary: 'Accept-Encoding',
  });
}

/**
 * All routes of the service.
 *
 * @param pinned lets a request see one configuration from beginning to end
 * @param mostRequests how many are handled at once; see `shedOverload`
 */
export function createApp(
  context: AppDeps,
  changes: Changes,
  pinned: <T>(work: () => T) => T = (work) => work(),
  mostRequests?: number,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use((_c, next) => pinned(next));
  const trusted = trustedProxies(context.config.trustedProxies);
  app.use(traceRequests(trusted));
  app.use(commonHeaders(context.config.publicUrl, trusted, context.newId));
  app.use('/api/v1/processing/*', readable(context));
  for (const path of COMMAND_PATHS) app.use(path, inCommandForm);
  app.use(shedOverload(mostRequests));
  app.use(limitAddresses(context));
  app.get('/health', health(context));
  app.route('/api/v1', apiRoutes(context));
  app.route('/api/v1', processingRoutes(context));
  app.route('/fields', fieldRoutes(context));
  app.route('/', commandRoutes(context));
  app.route('/auth', pageRoutes(context, changes));
  app.route('/notify', notificationRoutes(context));
  app.get('/assets/:name', (c) => {
    const asset = pageAssets.get(`/assets/${c.req.param('name')}`);
    if (asset === undefined) return jsonError(c, 404, 'There is no such file.');
    return sendFile(c, asset, { 'cache-control': 'public, max-age=31536000, immutable' });
  });
  const tagged = etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...Object.keys(FOR_PAGES)] });
  app.use('/sdk/*', tagged);
  app.get('/sdk/integrity.json', (c) =>
    c.json(Object.fromEntries([...merchantScripts].map(([name, { integrity }]) => [name, integrity])), 200, FOR_PAGES),
  );
  app.get('/sdk/:name', (c) => {
    const asset = merchantScripts.get(c.req.param('name'));
    if (asset === undefined) return jsonError(c, 404, 'There is no such file.');
    return sendFile(c, asset, FOR_PAGES);
  });
  app.get('/openapi.json', tagged, openApi(context.config));
  for (const wallet of context.config.wallets)
    if (wallet.domainFile !== undefined) app.get(wallet.domainFile.path, domainFile(context, wallet));
  app.notFound((c) => jsonError(c, 404, 'There is no such address.'));
  app.onError(failed(context));
  return app;
}
