import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Context, Next } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { HttpEnv } from '../http/basics/answers.ts';
import { remoteOf } from '../http/basics/headers.ts';
import type { TrustedProxies } from '../deployment/client-address.ts';
import { traced } from './spans.ts';

/**
 * A span for each request, named by its route, so that no token and no id is in a name. It goes on with the trace of a trusted
 * proxy; anybody else's header would let strangers write into traces.
 */
export function traceRequests(trusted: TrustedProxies) {
  return (c: Context<HttpEnv>, next: Next): Promise<void> => {
    const remote = remoteOf(c);
    const passedOn = remote !== undefined && trusted(remote);
    return traced({
      name: c.req.method,
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': c.req.method },
      parent: passedOn ? propagation.extract(ROOT_CONTEXT, c.req.header()) : ROOT_CONTEXT,
      async run(span) {
        await next();
        if (!span.isRecording()) return;
        const route = routeOf(c);
        const { status } = c.res;
        span.updateName(`${c.req.method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      },
    });
  };
}

/** The pattern that the path matched: `/auth/:token/pay`. */
function routeOf(c: Context<HttpEnv>): string {
  const patterns = matchedRoutes(c).map(({ path }) => path);
  return patterns.findLast((path) => !path.includes('*')) ?? 'none';
}
