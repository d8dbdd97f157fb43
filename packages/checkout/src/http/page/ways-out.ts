import type { Context } from 'hono';
import { turnBack } from '../../payments/lookups/turn-back.ts';
import type { PageDeps } from './deps.ts';
import type { HttpEnv } from '../basics/answers.ts';
import { type LoadedSession, loadSession } from './load-session.ts';

/** After a POST the browser is sent to the page, so that reload and back never send the form again. */
export function backToPage(c: Context, { token }: Pick<LoadedSession, 'token'>, query = ''): Response {
  return c.redirect(`/auth/${token}${query}`, 303);
}

/** The payer gives up an attempt and pays another way, where no money can move by it any more. */
export async function change(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  if (loaded.payment !== undefined) await turnBack(context, loaded.payment);
  return afterwards(context, c, loaded, '?again=1');
}

/**
 * Closing the form ends a session without an attempt that may still bring money (protocol: cancel_url). The page itself leads on
 * to the merchant: a form may not be redirected to another host under the page's policy.
 */
export async function cancel(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  if (loaded.payment !== undefined) await turnBack(context, loaded.payment);
  await context.stores.sessions.close(loaded.session.stored.id, 'cancelled');
  return afterwards(context, c, loaded, '');
}

/** An attempt that is still open is not left without a word. */
async function afterwards(
  context: PageDeps,
  c: Context<HttpEnv>,
  loaded: LoadedSession,
  query: string,
): Promise<Response> {
  const now = (await loadSession(context, loaded.token)) ?? loaded;
  const isOpen = now.payment?.state === 'created' || now.payment?.state === 'pending';
  return backToPage(c, loaded, isOpen ? '?leaving=1' : query);
}
