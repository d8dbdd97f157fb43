import { Hono } from 'hono';
import type { ServiceContext } from '../service-context.ts';
import { takeNotification } from '../notifications/receive.ts';
import { type HttpEnv, jsonAnswer, jsonError } from './answers.ts';
import { senderOf, tooMany } from '../limits/rate-limits.ts';
import { readBytes } from './read-body.ts';

/** Where providers send their notifications: one address per MID. */
export function notificationRoutes(context: ServiceContext): Hono<HttpEnv> {
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
