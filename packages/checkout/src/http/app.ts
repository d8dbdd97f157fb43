import { Hono } from 'hono';
import { pageAssets } from '../page/index.ts';
import type { AppDeps } from './deps.ts';
import { type HttpEnv, jsonError } from './basics/answers.ts';
import { apiRoutes } from './merchant-api/api-routes.ts';
import { trustedProxies } from '../deployment/client-address.ts';
import type { Changes } from './basics/changes.ts';
import { failed } from './failed.ts';
import { commonHeaders } from './basics/headers.ts';
import { health } from './health.ts';
import { limitAddresses } from './basics/limit-senders.ts';
import { commandRoutes } from './commands/command-routes.ts';
import { traceRequests } from '../telemetry/requests.ts';
import { shedOverload } from './shed.ts';
import { notificationRoutes } from './notification-routes.ts';
import { pageRoutes } from './page/page-routes.ts';
import { domainFile } from './page/wallet-routes.ts';

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
  app.use(commonHeaders(context.config.publicUrl, trusted));
  app.use(shedOverload(mostRequests));
  app.use(limitAddresses(context));
  app.get('/health', health(context));
  app.route('/api/v1', apiRoutes(context));
  app.route('/', commandRoutes(context));
  app.route('/auth', pageRoutes(context, changes));
  app.route('/notify', notificationRoutes(context));
  app.get('/assets/:name', (c) => {
    const asset = pageAssets.get(`/assets/${c.req.param('name')}`);
    if (asset === undefined) return jsonError(c, 404, 'There is no such file.');
    return c.body(asset.body, 200, {
      'content-type': asset.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });
  for (const wallet of context.config.wallets)
    if (wallet.domainFile !== undefined) app.get(wallet.domainFile.path, domainFile(context, wallet));
  app.notFound((c) => jsonError(c, 404, 'There is no such address.'));
  app.onError(failed(context));
  return app;
}
