import type { Route } from '../../merchants/directory.ts';
import type { OperationDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { StartedPayment, TokenUsed } from '../../storage/index.ts';
import { newAttempt } from '../attempt/new-attempt.ts';
import type { WalletAttempt } from '../../cards/wallet-attempt.ts';

/**
 * Stores an attempt with a wallet, its card and the mark that its token is used, in one statement: a crash leaves all of it or
 * nothing. The caller executes it.
 *
 * @returns undefined where the session has ended, or another attempt may still bring money
 */
export async function startWithWallet(
  context: OperationDeps,
  session: OpenSession,
  route: Route,
  { ip, beside }: { readonly ip: string | undefined; readonly beside?: boolean },
  { input, wallet }: { readonly input: unknown; readonly wallet: WalletAttempt },
): Promise<StartedPayment | TokenUsed | undefined> {
  const { newId, vault, stores, securityCodes, log } = context;
  // The first payment has the session's id (see `beginAttempt`).
  const id = session.stored.attempts === 0 ? session.stored.id : newId();
  const runId = newId();
  const attempt = newAttempt(context, session, route, { id, runId, input, ip: ip ?? null, beside });
  const { card, paid, held } = wallet;
  // It is kept as a card that was entered is; no token is made of it.
  const started = await stores.payments.insertWithToken({
    ...attempt,
    ...(card && { card: { kept: vault.seal(newId(), card, false) } }),
    wallet: paid,
  });
  if (started === 'token-used')
    log.warn({ event: 'wallet-refused', session: session.stored.id, method: route.method.key, state: 'replayed' });
  else if (started !== undefined && Object.keys(held).length > 0) securityCodes.hold(runId, held);
  return started;
}
