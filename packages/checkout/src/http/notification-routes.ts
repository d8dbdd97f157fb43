import { Hono } from 'hono';
import type { AppDeps } from './deps.ts';
import { takeNotification } from '../notifications/receive.ts';
import { type HttpEnv, jsonAnswer, jsonError } from './basics/answers.ts';
import { senderOf, tooMany } from './basics/rate-limits.ts';
import { readBytes } from './basics/read-body.ts';

/** Where providers send their notifications: one address per MID. */
export function notificationRoutes(context: AppDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  routes.post('/:mid', async (c) => {
    const mid = context.directory.mid(c.req.param('mid'));
    if (mid === undefined) return jsonError(c, 404, 'There is no such address.');
    const seconds = await context.limits.wait('notifications', `${mid.id} ${senderOf(c.get('client'))}`);
    if (seconds !== undefined) return jsonAnswer(c, tooMany(seconds));
    const body = await readBytes(c);
    if (!body.ok) return jsonError(c, 413, 'The notification is larger than 256 KB.');
    const answer = await takeNotification(context, mid, body.bytes, c.req.header());
    return new Response(answer.body === '' ? null : answer.body, { status: answer.status });
  });
  return routes;
}
