import type { Context } from 'hono';
import { storedNextAction } from '../../payments/state/stored-views.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { FlowRun } from '../../storage/index.ts';
import { fragmentPage, pageHeaders } from '../../page/index.ts';
import type { HttpEnv } from '../basics/answers.ts';
import type { PageDeps } from './deps.ts';
import { pageOptions } from './show-page.ts';

/**
 * The page that brings what a payer's address has behind its `#`.
 *
 * @param base where the payer goes on without it
 * @returns undefined where the visit brings nothing so, or something stands in the query
 */
export function askForFragment(
  context: PageDeps,
  c: Context<HttpEnv>,
  {
    session,
    visit,
    base,
  }: { readonly session: OpenSession; readonly visit: FlowRun | undefined; readonly base: string },
): Response | undefined {
  const asks = visit && storedNextAction(context.sealer, visit);
  const isBare = c.req.method === 'GET' && Object.keys(c.req.query()).length === 0;
  if (!isBare || asks?.kind !== 'visit' || asks.inFragment !== true) return undefined;
  const options = pageOptions(c, session);
  return c.html(fragmentPage({ base, ...options }), 200, pageHeaders(undefined, options));
}
