import type { Context } from 'hono';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment } from '../../storage/index.ts';
import type { PageDeps } from './deps.ts';

const FRAMES: ReadonlySet<string> = new Set(['iframe', 'frame']);

/**
 * The browsing context in which a payer goes back to the merchant, where the browser needs the payer's press for it; nothing where a redirect
 * leads there as well. The MID's counts before the request's, `_top` where neither names one (reference: term_url_target, return_url_target;
 * protocol: Override Link Target).
 *
 * In a frame of a page whose origin the merchant has not listed in `frameOrigins` no page of ours is shown: the payer is redirected there.
 */
export function pressedTarget(
  { directory }: PageDeps,
  c: Context,
  { command, merchant }: OpenSession,
  payment: Payment | undefined,
): string | undefined {
  const override = payment && directory.mid(payment.midId)?.config.linkTarget;
  const target = override ?? command?.returnTarget ?? '_top';
  if (target === '_self') return undefined;
  // The browser's own word for what it loads (Fetch Metadata); one that says nothing is led on by a redirect.
  const isFramed = FRAMES.has(c.req.header('sec-fetch-dest') ?? '');
  if (!isFramed) return target === '_top' || target === '_parent' ? undefined : target;
  return merchant.config.frameOrigins.length > 0 ? target : undefined;
}
