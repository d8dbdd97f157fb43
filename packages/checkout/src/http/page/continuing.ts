import type { PageDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import { returnUrl } from '../../sessions/return-url.ts';
import type { Payment } from '../../storage/index.ts';

/** Where the merchant is reached, with the payment that there is (protocol: Return parameters). */
export function continuing(
  url: string | undefined,
  session: OpenSession,
  payment: Payment | undefined,
): { readonly continueUrl?: string } {
  return url === undefined ? {} : { continueUrl: returnUrl(url, session, payment) };
}

/** Whether the session's time is over. */
export const timeIsUp = ({ now }: Pick<PageDeps, 'now'>, { stored }: OpenSession): boolean =>
  stored.state === 'expired' || stored.expiresAt.getTime() <= now();
