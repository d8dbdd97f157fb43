import type { PaymentWallet, WalletCard } from '@railyard/core';
import type { AuthenticationValues } from '@railyard/core/payment';
import { CardHandle } from '@railyard/core/driver';
import type { PaidByWallet, Payment } from '../storage/index.ts';
import { createHash } from 'node:crypto';
import { issue, type Issue, type SessionRequest } from '@railyard/core/protocol';
import type { Route } from '../merchants/directory.ts';
import type { MerchantWallet } from '../merchants/methods.ts';
import { brandOf } from '../rules/browser/card-rules.js';
import type { CardDeps } from './vault.ts';
import type { OpenSession } from '../sessions/session.ts';
import type { HeldSecrets, PlainCard } from './index.ts';
import { takenBy } from './paid-with.ts';

/** The wallet of a payment as its flow sees it: a handle for a token that is held in memory alone. */
export function paymentWallet(
  { digitalWallet, panType }: Pick<Payment, 'digitalWallet' | 'panType'>,
  { flow }: { readonly flow: WalletFlow },
): PaymentWallet {
  return {
    kind: digitalWallet ?? '',
    ...(panType !== null && { panType }),
    ...(flow !== 'card' && { token: new CardHandle('wallet-token') }),
  };
}

/** Whether a flow is given the number of a device, which its cryptogram goes with. */
export const isNetworkToken = (
  { panType }: Pick<Payment, 'panType'>,
  wallet: { readonly flow: WalletFlow } | undefined,
): boolean => wallet?.flow === 'card' && panType === 'dpan';

/**
 * The handling of a wallet's token. `virtual`: it goes to the provider as it came, and nothing is kept. `card`: it is opened,
 * and its card is a card like any other. `forwarded`: it is opened and its card kept, and the token goes to the provider.
 */
export type WalletFlow = 'virtual' | 'card' | 'forwarded';

export interface WalletFacts {
  /** The merchant has given the key that opens tokens. */
  readonly hasKey: boolean;
  /** The account's provider keeps cards of wallets: holds, charges again. */
  readonly cardFlow: boolean;
  /** It takes the card of an opened token. */
  readonly takesDecrypted: boolean;
}

/** The protocol's decision (Digital wallet methods, rules 3 to 5; reference: decision table). */
export function walletFlow({ hasKey, cardFlow, takesDecrypted }: WalletFacts): WalletFlow {
  if (!hasKey || !cardFlow) return 'virtual';
  return takesDecrypted ? 'card' : 'forwarded';
}

/** The flow of a merchant's wallet at an account. */
export function flowAt(
  { method, mid }: Pick<Route, 'method' | 'mid'>,
  { wallet, settings }: MerchantWallet,
): WalletFlow {
  const said = mid.defaults[method.key]?.card_flow;
  return walletFlow({
    hasKey: wallet.decrypts(settings),
    cardFlow: said === 'decrypted' || said === 'token',
    takesDecrypted: said === 'decrypted',
  });
}

/** Of an account and an attempt: which other accounts could take the same card (rules 4 and 5: cascading). */
export const isRoutable = (flow: WalletFlow): boolean => flow === 'card';

/** Whether money can be held, and the card charged again (rule 3). */
export const keepsCard = (flow: WalletFlow): boolean => flow !== 'virtual';

/** The path of a wallet's token on the page. */
export const WALLET_TOKEN = 'wallet_token';

export const WALLET_TEXTS = {
  refused: 'The wallet could not be used for this payment. Try again, or choose another way to pay.',
  onlySales: 'This wallet only takes sales here: money cannot be held, and there are no later charges.',
  network: 'Cards of this network are not taken.',
} as const;

/** The input of an attempt with a wallet. */
export interface WalletAttempt {
  /** For the payment's row. */
  readonly paid: PaidByWallet;
  /** With `authentication` for the run's input, which is sealed: the same flow on every drive. */
  readonly flow: WalletFlow;
  readonly authentication?: AuthenticationValues;
  /** For the vault, where the token was opened. */
  readonly card?: PlainCard;
  /** For the first request, in memory alone. */
  readonly held: HeldSecrets;
}

export type ReadWallet =
  | { readonly ok: true; readonly attempt: WalletAttempt }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** The wallet of a route, with the merchant's settings; `undefined` for all other methods. */
export const walletOf = ({ merchant }: Pick<OpenSession, 'merchant'>, { method }: Route): MerchantWallet | undefined =>
  merchant.wallets.get(method.key);

/** Why the wallet cannot be used for the request at this account, before anybody has opened it. */
export function walletProblem(
  { auth, recurring_init }: SessionRequest,
  route: Route,
  wallet: MerchantWallet,
): string | undefined {
  return (auth || recurring_init) && !keepsCard(flowAt(route, wallet)) ? WALLET_TEXTS.onlySales : undefined;
}

/** The session that a token is given for; a merchant's server gives one before there is one. */
type TokenSession = Pick<OpenSession, 'request'> & { readonly stored: Pick<OpenSession['stored'], 'id'> };

/**
 * Reads a wallet's token for an attempt, wherever it came from: the page, or a merchant's server. It is opened where its card is wanted;
 * whether it was used before, the attempt's statement decides.
 *
 * @param token JSON as text
 */
export function readWallet(
  context: CardDeps,
  session: TokenSession,
  route: Route,
  wallet: MerchantWallet,
  token: string | undefined,
): ReadWallet {
  const problem = walletProblem(session.request, route, wallet);
  if (problem !== undefined) return refused(problem);
  const { amount } = session.request;
  if (token === undefined || amount === 'payer') return refused(WALLET_TEXTS.refused);
  const flow = flowAt(route, wallet);
  const { kind } = wallet.wallet;
  if (flow === 'virtual') {
    const read = wallet.wallet.idOf(token);
    if (!read.ok) return refusedToken(context, session, route, read);
    const paid = { digitalWallet: kind, panType: null, tokenHash: hashOf(kind, read.value) };
    return { ok: true, attempt: { paid, flow, held: { 'wallet-token': token } } };
  }
  const opened = wallet.wallet.open(token, wallet.settings, { amount, now: context.now() });
  if (!opened.ok) return refusedToken(context, session, route, opened);
  const card = plainCard(opened.value, session.request);
  if (!takenBy(route).includes(card.brand)) return refused(WALLET_TEXTS.network);
  return { ok: true, attempt: withCard(kind, flow, opened.value, card, token) };
}

function withCard(
  kind: string,
  flow: WalletFlow,
  { id, panType, cryptogram, eci }: WalletCard,
  card: PlainCard,
  token: string,
): WalletAttempt {
  const paid = { digitalWallet: kind, panType, tokenHash: hashOf(kind, id) };
  if (flow === 'forwarded') return { paid, flow, card, held: { 'wallet-token': token } };
  const held = cryptogram === undefined ? {} : { cryptogram };
  return { paid, flow, ...(eci !== undefined && { authentication: { eci } }), card, held };
}

function plainCard({ number, expiryMonth, expiryYear, holder }: WalletCard, request: SessionRequest): PlainCard {
  const brand = brandOf(number)?.name ?? '';
  return { number, brand, expiryMonth, expiryYear, holder: holder ?? request.customer?.name ?? '' };
}

/** Under what a token is known to have been used: by the wallet and the token's id, and not to be turned back. */
const hashOf = (kind: string, id: string): string => createHash('sha256').update(`${kind}:${id}`).digest('hex');

const refused = (message: string): ReadWallet => ({ ok: false, issues: [issue(WALLET_TOKEN, message)] });

/** The payer reads that it did not work; which check failed, the log says. */
function refusedToken(
  { log }: CardDeps,
  { stored }: TokenSession,
  { method }: Route,
  { reason, says }: { readonly reason: string; readonly says: string },
): ReadWallet {
  log.warn({ event: 'wallet-refused', session: stored.id, method: method.key, state: reason, why: says });
  return refused(WALLET_TEXTS.refused);
}
