import type { Route } from '../../merchants/directory.ts';
import { walletOf, walletProblem } from '../../cards/wallet-attempt.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { WalletForm } from '../../page/model.ts';

/** The wallet's part of the form before a payment; `undefined` for methods that are paid otherwise. */
export function walletState(session: OpenSession, route: Route): WalletForm | undefined {
  const found = walletOf(session, route);
  if (found === undefined) return undefined;
  const { wallet, settings } = found;
  const { request, merchant } = session;
  const problem = walletProblem(request, route, found);
  if (problem !== undefined || request.amount === 'payer') return { kind: wallet.kind, problem: problem ?? '' };
  const { text: amount, currency } = request.amount;
  return {
    kind: wallet.kind,
    problem: '',
    button: wallet.button(settings, { amount, currency, merchantName: merchant.config.name }),
  };
}
