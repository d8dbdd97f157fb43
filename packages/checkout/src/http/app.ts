import { Hono } from 'hono';
import { pageAssets } from '../page/index.ts';
import type { ServiceContext } from '../service-context.ts';
import { type HttpEnv, jsonError } from './answers.ts';
import { apiRoutes } from './api-routes.ts';
import type { Changes } from './changes.ts';
import { health } from './health.ts';
import { notificationRoutes } from './notification-routes.ts';
import { pageRoutes } from './page-routes.ts';

/** All routes of the service. */
export function createApp(context: ServiceContext, changes: Changes): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    c.set('requestId', context.newId());
    c.header('x-request-id', c.get('requestId'));
    await next();
  });
  app.get('/health', health(context));
  app.route('/api/v1', apiRoutes(context));
  app.route('/auth', pageRoutes(context, changes));
  app.route('/notify', notificationRoutes(context));
  app.get('/assets/:name', (c) => {
    const asset = pageAssets.get(`/assets/${c.req.param('name')}`);
    if (asset === undefined) return jsonError(c, 404, 'There is no such file.');
    return c.body(asset.body, 200, {
      'content-type': asset.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });
  app.notFound((c) => jsonError(c, 404, 'There is no such address.'));
  app.onError((error, c) => {
    context.log.error({
      event: 'request-failed',
      request: c.get('requestId'),
      method: c.req.method,
      error: error.message,
    });
    return jsonError(c, 500, 'Something went wrong here. Try again, and tell us the request_id if it stays.');
  });
  return app;
}
