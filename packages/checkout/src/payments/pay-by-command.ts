import { issue, type Issue, type SessionRequest } from '@railyard/core/protocol';
import type { Merchant, Route } from '../merchants/directory.ts';
import {
  ALL_BRANDS,
  brandOf,
  cvvProblem,
  digitsOf,
  expiryProblem,
  numberProblem,
} from '../rules/browser/card-rules.js';
import type { AuthenticationValues } from '@railyard/core/payment';
import type { OperationDeps } from './runs/deps.ts';
import { usableRoutes, type OpenSession } from '../sessions/session.ts';
import type { CardEntry, PlainCard, SavedCard } from '../cards/index.ts';
import { CARD_TEXTS, payeeOf } from '../cards/card.ts';
import { accountFor, accountOfSaved, choicesAt, openSaved, takenBy, takesCard } from '../cards/paid-with.ts';
import { resolveFor, startWithWallet } from './runs/attempt.ts';
import { runInput, type Known } from './payment.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { TEXTS } from '@railyard/core';
import { executeStarted, executeStored, logUnclear, type RunResult } from './runs/execute.ts';
import { WALLET_TEXTS, readWallet, walletOf, walletProblem, type WalletAttempt } from '../cards/wallet.ts';
import { beginDurably, type Payment, type StartedPayment } from '../storage/index.ts';
import { storeAttempt, type Attempt } from './pay.ts';

/** The card that a merchant's server pays to: a number as it was sent, or a saved card. */
export type CardPayout =
  | { readonly number: string; readonly saved?: undefined }
  | { readonly saved: SavedCard; readonly number?: undefined };

export interface PreparedPayout {
  readonly ok: true;
  readonly route: Route;
  readonly attempt: Attempt;
}

/** Finds the account that pays out to the card, and checks that its input is complete: no payer can be asked. */
export function preparePayout(
  context: OperationDeps,
  merchant: Merchant,
  request: SessionRequest,
  payout: CardPayout,
): PreparedPayout | { readonly ok: false; readonly issues: readonly Issue[] } {
  const refused = (path: string, message: string) => ({ ok: false, issues: [issue(path, message)] }) as const;
  const routes = usableRoutes(context, merchant, request).filter(
    ({ method }) => method.operations[request.operation]?.card === true,
  );
  if (routes.length === 0) return refused('order_currency', TEXTS.choice);
  const taken = routes.flatMap(takenBy);
  const problem = payout.number === undefined ? undefined : numberProblem(payout.number, taken);
  if (problem !== undefined) return refused('card_number', CARD_TEXTS[problem]);
  const card = plainCardPayout(context, payout, request.payee?.name ?? '');
  const route = accountFor({ merchant, request }, routes, card.number, undefined)?.route;
  if (route === undefined) return refused('card_token', TEXTS.choice);
  const entry: CardEntry = { card, cvv: undefined };
  // A payee of whom no name was sent has none, not an empty one.
  const resolved = resolveFor(context, { request, merchant }, route, { answers: {} }, card.holder || undefined);
  if (resolved.value === undefined || resolved.issues.length > 0) return { ok: false, issues: resolved.issues };
  return { ok: true, route, attempt: { input: runInput(resolved.value), entry, saved: payout.saved } };
}

function plainCardPayout(context: OperationDeps, { number, saved }: CardPayout, holder: string): PlainCard {
  if (saved !== undefined) return openSaved(context, saved);
  const digits = digitsOf(number);
  return { number: digits, brand: brandOf(digits)?.name ?? '', holder };
}

/** A payment without a page that is stored. */
export interface StoredPayout {
  readonly payment: Payment;
  /** Has it executed. Where the database's answer to storing it was lost, the process that takes its run over executes it. */
  execute(): Promise<RunResult | undefined>;
}

/** Stores the payout. @returns undefined where its session has ended */
export const storePayout = (
  context: OperationDeps,
  session: OpenSession,
  { route, attempt }: PreparedPayout,
  ip: string | undefined,
): Promise<StoredPayout | undefined> =>
  storedDurably(context, session, () => storeAttempt(context, session, route, { ip }, attempt), attempt.id);

/**
 * A payment of a session, once it is stored; also where the database's answer to that was lost.
 *
 * @param id of the payment; that of the session's first unless given
 */
export function storedDurably(
  context: OperationDeps,
  session: OpenSession,
  store: () => Promise<StartedPayment | undefined>,
  id = session.stored.id,
): Promise<StoredPayout | undefined> {
  return beginDurably(
    async () => {
      const started = await store();
      return (
        started && {
          payment: started.payment,
          execute: () => executeStored(context, id, () => executeStarted(context, started, session)),
        }
      );
    },
    async (lost) => {
      const payment = await context.stores.payments.find(id);
      if (payment === undefined) return undefined;
      logUnclear(context, id, lost);
      return { payment, execute: () => Promise.resolve(undefined) };
    },
  );
}

/** Stores the payout and executes it. Once it is stored it takes place, whatever goes wrong here. */
export async function payOut(
  context: OperationDeps,
  session: OpenSession,
  prepared: PreparedPayout,
  ip: string | undefined,
): Promise<void> {
  const stored = await storePayout(context, session, prepared, ip);
  await stored?.execute();
}

/** Finds the account that pays out by the requested method, and checks that its input is complete: no payer can be asked. */
export function prepareAccountPayout(
  context: OperationDeps,
  merchant: Merchant,
  request: SessionRequest,
): PreparedPayout | { readonly ok: false; readonly issues: readonly Issue[] } {
  const route = usableRoutes(context, merchant, request).find(
    (each) => !takesCard(context, { request, merchant }, each),
  );
  if (route === undefined) return { ok: false, issues: [issue('methods', TEXTS.choice)] };
  const { value, issues } = resolveFor(context, { request, merchant }, route, { answers: {} }, undefined);
  if (value === undefined || issues.length > 0) return { ok: false, issues };
  return { ok: true, route, attempt: { input: runInput(value), entry: undefined, saved: undefined } };
}

/**
 * Stores the payout and executes it; waits no longer than `commandWaitSeconds`. Whatever goes wrong once it is stored, it takes place or is
 * found out about: an error would have the merchant ask again, and the money move twice.
 *
 * @returns the payment as its run left it, or undefined where its session has ended
 */
export async function startWithin(
  context: OperationDeps,
  session: OpenSession,
  prepared: PreparedPayout,
  ip: string | undefined,
): Promise<Known | undefined> {
  return executedWithin(context, session, await storePayout(context, session, prepared, ip));
}

/** Executes the stored payment of a session; waits no longer than `commandWaitSeconds`. */
export async function executedWithin(
  context: OperationDeps,
  session: OpenSession,
  stored: StoredPayout | undefined,
): Promise<Known | undefined> {
  const find = async () => {
    const { id } = stored?.payment ?? session.stored;
    const payment = await context.stores.payments.find(id).catch(() => undefined);
    return payment && { payment };
  };
  if (stored === undefined) return find();
  const result = await withinWait(context, stored.execute());
  if (result?.kind === 'moved' && result.executed !== undefined) return result.executed;
  return (await find()) ?? { payment: stored.payment };
}

/** Waits for work that goes on by itself afterwards. @returns its result where it came in time */
async function withinWait(
  { config }: OperationDeps,
  work: Promise<RunResult | undefined>,
): Promise<RunResult | undefined> {
  const over = new AbortController();
  const wait = sleep(config.commandWaitSeconds * 1000, undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, wait]);
  } finally {
    over.abort();
  }
}

/** An authentication that proves itself by its cryptogram. */
interface GivenAuthentication {
  readonly cryptogram: string;
  readonly values: AuthenticationValues;
}

/** The card that a merchant's server pays with: as it was sent, or a saved one. */
export interface GivenCard {
  readonly card: Pick<PlainCard, 'number' | 'expiryMonth' | 'expiryYear'> | SavedCard;
  readonly cvv: string | undefined;
  /** The network that the payer chose of a co-branded card. Default: the merchant's choice, or that of the saved card. */
  readonly brand?: string | undefined;
  /** The result of 3-D Secure at the merchant's own MPI, for the account. */
  readonly authentication?: GivenAuthentication | undefined;
  /** The name on a card that was sent. */
  readonly holder: string;
  /** The number that is paid to, of a transfer. */
  readonly payee?: string;
}

export type PreparedCardPayment =
  | PreparedPayout
  | { readonly ok: false; readonly issues: readonly Issue[] }
  /**
   * `no-account`: the merchant has none that takes cards for this request. `brand`: none that takes the card's network. `token-expired`: the
   * saved card's date has passed.
   */
  | { readonly ok: false; readonly issues?: undefined; readonly why: 'no-account' | 'brand' | 'token-expired' };

/** Finds the account that takes the card, and checks that the input is complete: no payer can be asked. */
export function prepareCardPayment(
  context: OperationDeps,
  merchant: Merchant,
  request: SessionRequest,
  given: GivenCard,
): PreparedCardPayment {
  const routesBut = (except?: ReadonlySet<string>) =>
    usableRoutes(context, merchant, request, except).filter((each) => takesCard(context, { request, merchant }, each));
  const routes = routesBut();
  if (routes.length === 0) return { ok: false, why: 'no-account' };
  const { card: typed, saved } = plainCard(context, given);
  if (saved !== undefined && isExpired(context, typed)) return { ok: false, why: 'token-expired' };
  const paying = { merchant, request };
  const ofCard = (among: readonly Route[], brand: string | undefined) =>
    saved !== undefined && brand === undefined
      ? accountOfSaved(context, paying, among, saved)
      : accountFor(paying, among, typed.number, brand);
  const { authentication } = given;
  const first = ofCard(routes, given.brand);
  const sending = authentication && routesBut(withoutAuthentication(context, merchant)).filter(sentBy);
  const found = sending === undefined || first === undefined ? first : ofCard(sending, given.brand);
  const { route, ...network } = found ?? {};
  const card = { ...typed, ...network };
  const payee = given.payee === undefined ? undefined : payeeOf(given.payee);
  const wrong = [
    ...cardIssues(context, card, saved === undefined ? (given.cvv ?? '') : given.cvv),
    ...payeeIssues(payee),
  ];
  if (wrong.length > 0) return { ok: false, issues: wrong };
  if (first === undefined) {
    if (given.brand === undefined || ofCard(routes, undefined) === undefined) return { ok: false, why: 'brand' };
    const brands = routes.flatMap((each) => choicesAt(paying, each, card.number) ?? []);
    return { ok: false, issues: [issue('card_brand', noSuchBrand([...new Set(brands)]))] };
  }
  if (route === undefined) return { ok: false, issues: [issue('cavv', NOT_SENT)] };
  const { needs = [] } = (authentication && sentBy(route)) ?? {};
  const lacking = needs.filter((name) => authentication?.values[name] === undefined);
  if (lacking.length > 0) return { ok: false, issues: lacking.map((name) => issue(name, TEXTS.blank)) };
  // A payer of whom no name was sent has none, not an empty one.
  const { value, issues } = resolveFor(
    context,
    { request, merchant },
    route,
    { answers: {} },
    card.holder || undefined,
  );
  if (value === undefined || issues.length > 0) return { ok: false, issues };
  const input = runInput(value, {
    ...(given.cvv === undefined && { withoutCode: true }),
    ...(authentication && { authentication: authentication.values }),
  });
  const proof = authentication && { cryptogram: authentication.cryptogram };
  const entry = { card, cvv: given.cvv, ...proof, ...(payee && { payee }) };
  return { ok: true, route, attempt: { input, entry, saved } };
}

const noSuchBrand = (brands: readonly string[]): string =>
  brands.length === 0
    ? 'No account can name the network of this card to its provider. Leave card_brand out.'
    : `This card cannot be paid with by this brand. Send ${brands.join(' or ')}, or leave card_brand out.`;

const NOT_SENT =
  'No account for this payment takes the result of 3-D Secure at your own MPI. Leave cavv out: the payer is then authenticated by the account.';

/** The merchant's accounts whose provider takes no authentication that was done elsewhere, by any method. */
const withoutAuthentication = ({ directory }: OperationDeps, { config }: Merchant): ReadonlySet<string> =>
  new Set(
    config.methods
      .flatMap(({ mid }) => mid)
      .filter((id) => directory.mid(id)?.connector.serves.every(({ flows }) => flows.authentication === undefined)),
  );

/** The values of an authentication that the account's provider takes; `undefined`: it takes none. */
const sentBy = ({ mid, method }: Route) =>
  mid.connector.serves.find((served) => served.method === method)?.flows.authentication;

const payeeIssues = (payee: PlainCard | undefined): Issue[] => {
  const problem = payee && numberProblem(payee.number, ALL_BRANDS);
  return problem === undefined ? [] : [issue('payee_card_number', CARD_TEXTS[problem])];
};

function plainCard(
  context: OperationDeps,
  { card, holder }: GivenCard,
): { card: PlainCard; saved: SavedCard | undefined } {
  if ('kept' in card) return { card: openSaved(context, card), saved: card };
  return { card: { ...card, brand: brandOf(card.number)?.name ?? '', holder }, saved: undefined };
}

/** The date of a saved card is in no field of the command: it is the token that has expired (reference: Errors of S2S CARD, 205006). */
const isExpired = ({ now }: OperationDeps, { expiryMonth, expiryYear }: PlainCard): boolean =>
  expiryProblem(`${expiryMonth}/${expiryYear}`, now()) !== undefined;

/** The faults of a card, under the names that commands have for its fields. */
function cardIssues({ now }: OperationDeps, card: PlainCard, cvv: string | undefined): Issue[] {
  const { number, brand, expiryMonth, expiryYear } = card;
  const ofNumber = brand === '' ? undefined : numberProblem(number, ALL_BRANDS);
  const problems = {
    // Which networks are taken, the accounts say.
    card_number: ofNumber === 'brand' ? undefined : ofNumber,
    card_exp_year: expiryProblem(`${expiryMonth}/${expiryYear}`, now()),
    card_cvv2: cvv === undefined ? undefined : cvvProblem(cvv, brand),
  };
  return Object.entries(problems).flatMap(([path, problem]) =>
    problem === undefined ? [] : [issue(path, CARD_TEXTS[problem])],
  );
}

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
): Promise<Known | 'token-used' | undefined> {
  let isUsed = false;
  const stored = await storedDurably(context, session, async () => {
    const started = await startWithWallet(context, session, route, { ip }, { input, wallet });
    isUsed = started === 'token-used';
    return started === 'token-used' ? undefined : started;
  });
  return isUsed ? 'token-used' : executedWithin(context, session, stored);
}
