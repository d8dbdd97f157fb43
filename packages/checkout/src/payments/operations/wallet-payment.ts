import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import { TEXTS } from '@railyard/core';
import { readWallet, type WalletAttempt, WALLET_TEXTS, walletOf, walletProblem } from '../../cards/wallet-attempt.ts';
import type { Merchant, Route } from '../../merchants/directory.ts';
import { type OpenSession, usableRoutes } from '../../sessions/open-session.ts';
import { resolveFor } from '../attempt/resolve-for.ts';
import type { AnsweredPayment } from '../state/held-rows.ts';
import { runInput } from '../state/run-input.ts';
import { executedWithin } from './account-payout.ts';
import type { OperationDeps } from './deps.ts';
import { storedDurably } from './payout.ts';
import { startWithWallet } from './start-with-wallet.ts';

/** The token of a digital wallet, as a merchant's server got it from the wallet. */
export interface GivenWallet {
  /** `applepay` or `googlepay`. */
  readonly wallet: string;
  /** JSON as text. */
  readonly token: string;
}

interface PreparedWallet {
  readonly ok: true;
  readonly route: Route;
  readonly input: unknown;
  readonly wallet: WalletAttempt;
}

/**
 * `no-wallet`: the merchant has no such wallet for this request. `only-sales`: no account holds or charges again with it. `brand`: its card is of
 * a network that is not taken.
 */
export type WalletRefusal = 'no-wallet' | 'only-sales' | 'brand';

type PreparedWalletPayment =
  | PreparedWallet
  | { readonly ok: false; readonly issues: readonly Issue[] }
  | { readonly ok: false; readonly issues?: undefined; readonly why: WalletRefusal };

/**
 * Finds the account that takes the wallet, and reads its token (reference: Wallet tokens of S2S CARD).
 *
 * @param id of the session that the payment will have
 */
export function prepareWalletPayment(
  context: OperationDeps,
  merchant: Merchant,
  request: SessionRequest,
  { wallet: kind, token }: GivenWallet,
  id: string,
): PreparedWalletPayment {
  const found = usableRoutes(context, merchant, request).flatMap((route) => {
    const wallet = walletOf({ merchant }, route);
    return wallet?.wallet.kind === kind ? [{ route, wallet }] : [];
  });
  if (found.length === 0) return { ok: false, why: 'no-wallet' };
  const first = found.find(({ route, wallet }) => walletProblem(request, route, wallet) === undefined);
  if (first === undefined) return { ok: false, why: 'only-sales' };
  const { route, wallet } = first;
  const read = readWallet(context, { request, stored: { id } }, route, wallet, token);
  if (!read.ok)
    return read.issues.some(({ message }) => message === WALLET_TEXTS.network)
      ? { ok: false, why: 'brand' }
      : { ok: false, issues: [issue('payment_token', TEXTS.notValid)] };
  const { value, issues } = resolveFor(context, { request, merchant }, route, { answers: {} }, undefined);
  if (value === undefined || issues.length > 0) return { ok: false, issues };
  return { ok: true, route, input: runInput(value, {}, read.attempt), wallet: read.attempt };
}

/**
 * Stores the payment with the mark that its token is used, and executes it, as `startWithin` does.
 *
 * @returns the payment as its run left it; `token-used` where another payment was made with the token; undefined where its session has ended
 */
export async function startWalletWithin(
  context: OperationDeps,
  session: OpenSession,
  { route, input, wallet }: PreparedWallet,
  ip: string | undefined,
): Promise<AnsweredPayment | 'token-used' | undefined> {
  let isUsed = false;
  const stored = await storedDurably(context, session, async () => {
    const started = await startWithWallet(context, session, route, { ip }, { input, wallet });
    isUsed = started === 'token-used';
    return started === 'token-used' ? undefined : started;
  });
  return isUsed ? 'token-used' : executedWithin(context, session, stored);
}
