import { type Context, Hono } from 'hono';
import type { AppDeps } from './deps.ts';
import { takeNotification } from '../notifications/receive.ts';
import { type HttpEnv, jsonAnswer, jsonError } from './basics/answers.ts';
import { senderOf, tooMany } from './basics/rate-limits.ts';
import { readBytes } from './basics/read-body.ts';
import { withoutTrailingSlashes } from '@railyard/core/protocol';

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
      // The address that the provider was given, whatever a proxy makes of it.
      url: `${base}${pathname}${search}`,
      path: belowMid(pathname),
      headers: c.req.header(),
      proxied: c.get('proxied') === true,
      bytes: body.bytes,
      body: Buffer.from(body.bytes).toString('utf8'),
    };
    const answer = await takeNotification(context, mid, arrived, sender);
    return new Response(answer.body === '' ? null : answer.body, { status: answer.status });
  };
  for (const path of ['/:mid', '/:mid/*'] as const) {
    // A HEAD comes to what is declared for GET, and carries no notification.
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
