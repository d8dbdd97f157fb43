import type { PaymentCard, ProviderEvent } from '@railyard/core';
import { binOf, CardHandle, type CardPart, type PayeeCard } from '@railyard/core/driver';
import { eventWithoutCards, type Host } from '@railyard/runtime';
import type { CardDeps } from './vault.ts';
import type { OpenSession } from '../sessions/session.ts';
import type { PaidWith, Payment, StoredCard } from '../storage/index.ts';
import type { CardEntry, CardRequirements, HeldSecrets, PlainCard, SavedCard } from './index.ts';
import { takesCard as isPaidByCard } from '@railyard/core/registry';
import { ALL_BRANDS, brandOf, choiceOf, LOCAL_BRANDS, type CoBrands } from '../rules/browser/card-rules.js';
import type { Route } from '../merchants/directory.ts';

type CardAccount = Pick<Route, 'mid' | 'method'>;

/** The networks that the account's flows can name to the provider. */
const namedBy = ({ mid, method }: CardAccount): readonly string[] =>
  mid.connector.serves.find((served) => served.method.key === method.key)?.flows.cardBrands ?? [];

/** The networks whose cards the account takes. One that no number shows must be named to the provider. */
export function takenBy(account: CardAccount): readonly string[] {
  const named = namedBy(account);
  return (account.mid.config.cardBrands ?? ALL_BRANDS).filter(
    (name) => !LOCAL_BRANDS.includes(name) || named.includes(name),
  );
}

/** The request of a merchant's payer. */
type Paying = Pick<OpenSession, 'merchant' | 'request'>;

/** A payout or a transfer tells the provider no network (docs/cards.md, Co-branded cards). */
const tellsNetworks = ({ request: { operation } }: Paying): boolean =>
  operation === 'purchase' || operation === 'debit';

/**
 * The merchant's co-branded cards for which the account's provider is told the network, with those that the account takes. Where the account
 * takes one that it cannot name, the provider decides, and no payer is asked.
 */
export function coBrandsAt(paying: Paying, account: CardAccount): readonly CoBrands[] {
  if (!tellsNetworks(paying)) return [];
  const named = namedBy(account);
  const { cardBrands = ALL_BRANDS } = account.mid.config;
  return paying.merchant.config.coBrands.flatMap((range) => {
    const brands = range.brands.filter((name) => cardBrands.includes(name));
    return brands.length > 0 && brands.every((name) => named.includes(name)) ? [{ ...range, brands }] : [];
  });
}

/** The networks of a number of which the account's provider is told one; `undefined`: it is told none. */
export const choicesAt = (paying: Paying, account: CardAccount, number: string): readonly string[] | undefined =>
  choiceOf(number, coBrandsAt(paying, account));

/** An account for a card, and the network that is used there. */
interface CardRoute extends Pick<PlainCard, 'brand' | 'brandChosenBy'> {
  readonly route: Route;
}

/**
 * The account that takes a card, and the network that is used. An account whose provider is told the network goes before the others.
 *
 * @param chosen the network that the payer chose; default: the merchant's choice
 */
export function accountFor(
  paying: Paying,
  routes: readonly Route[],
  number: string,
  chosen: string | undefined,
): CardRoute | undefined {
  for (const brand of choiceOf(number, paying.merchant.config.coBrands) ?? []) {
    if (brand !== (chosen ?? brand)) continue;
    const route = routes.find((each) => choicesAt(paying, each, number)?.includes(brand));
    if (route !== undefined) return { route, brand, brandChosenBy: chosen === undefined ? 'merchant' : 'payer' };
  }
  if (chosen !== undefined && tellsNetworks(paying)) return undefined;
  const brand = brandOf(number)?.name ?? '';
  const route = routes.find((each) => choicesAt(paying, each, number) === undefined && takenBy(each).includes(brand));
  return route && { route, brand };
}

/** The account that takes a saved card, by the network that its payer chose when it was saved; default: as a new card. */
export function accountOfSaved(
  { vault }: Pick<CardDeps, 'vault'>,
  paying: Paying,
  routes: readonly Route[],
  { kept }: Pick<SavedCard, 'kept'>,
): CardRoute | undefined {
  const chosen = kept.brandChosenBy === 'payer' ? kept.brand : undefined;
  return accountFor(paying, routes, vault.openNumber(kept) ?? '', chosen);
}

/** The saved cards that one of the accounts takes, each with the network that is used there. */
export const savedAt = (
  context: Pick<CardDeps, 'vault'>,
  paying: Paying,
  routes: readonly Route[],
  saved: readonly SavedCard[],
): SavedCard[] =>
  saved.flatMap((each) => {
    const found = accountOfSaved(context, paying, routes, each);
    return found === undefined ? [] : [{ ...each, brand: found.brand }];
  });

/** Whether the payer pays with a card at this account. */
export function takesCard(
  { directory }: CardDeps,
  { request, merchant }: Pick<OpenSession, 'request' | 'merchant'>,
  { key, method, mid, profile }: Route,
): boolean {
  const sources = { profile, mid: mid.defaults[method.key] ?? {}, profiles: merchant.profile };
  return isPaidByCard(directory.registry, request, key, sources);
}

/**
 * The card fields to ask for; `undefined` for methods that take no card, and for accounts that take none here.
 *
 * @param chosen the key of a saved card; the first one where nothing is said. A new card for `new`, and for one that is not offered
 *   any more: the payer chose another one than the first.
 */
export function cardRequirements(
  context: CardDeps,
  session: OpenSession,
  route: Route,
  saved: readonly SavedCard[],
  chosen: string | undefined,
): CardRequirements | undefined {
  if (!takesCard(context, session, route)) return undefined;
  const { operation } = session.request;
  const offered = savedAt(context, session, [route], saved);
  const used = chosen === undefined ? offered[0] : offered.find(({ key }) => key === chosen);
  return {
    operation,
    payee: route.method.operations[operation]?.payeeCard === true,
    saved: used,
    taken: takenBy(route),
    coBrands: coBrandsOf(context, coBrandsAt(session, route), used),
    oneWordName: isOneWordName(session),
    now: context.now(),
  };
}

/** Of a saved card its own range alone: with the network that its payer chose, or with all while none was chosen. */
function coBrandsOf(
  { vault }: CardDeps,
  coBrands: readonly CoBrands[],
  saved: SavedCard | undefined,
): readonly CoBrands[] {
  if (saved === undefined) return coBrands;
  const { kept, brand } = saved;
  const number = vault.openNumber(kept) ?? '';
  const own = coBrands.filter((range) => choiceOf(number, [range]) !== undefined);
  return kept.brandChosenBy === 'payer' ? own.map((range) => ({ ...range, brands: [brand] })) : own;
}

/**
 * No network asks for two words, but the reference does (Checkout page, Name on card), and one word is mostly a forgotten half. So two are wanted
 * of a payer whom the merchant names by two or more, and where the mapping goes by the letter of the protocol's names.
 */
export const isOneWordName = ({ merchant, request }: OpenSession): boolean =>
  merchant.config.names === 'any' && (request.customer?.name ?? '').trim().split(/\s+/).length === 1;

/** The number and name behind a saved card, which are kept as long as its token is. Its network is that of its digits. */
export function openSaved({ vault }: CardDeps, { kept }: SavedCard): PlainCard {
  const [number, holder] = [vault.openNumber(kept), vault.openHolder(kept)];
  if (number === undefined || holder === undefined) throw new Error('A saved card has no number any more.');
  const { expiryMonth, expiryYear } = kept;
  return { number, holder, brand: brandOf(number)?.name ?? '', ...expiryOf(expiryMonth, expiryYear) };
}

/**
 * The card of a new attempt, sealed for a row of its own. With `req_token` it is saved as well, unless the merchant has a token of it
 * and its holder already (protocol: `req_token` is ignored beside `card_token`).
 */
export async function paidWith(
  context: CardDeps,
  { stored, request }: OpenSession,
  { card, payee }: CardEntry,
  saved: SavedCard | undefined,
): Promise<PaidWith> {
  const { vault, newId, stores } = context;
  const cards = {
    kept: vault.seal(newId(), card, saved !== undefined),
    ...(payee && { payee: vault.seal(newId(), payee, false) }),
  };
  if (saved !== undefined) return { ...cards, tokenHash: saved.tokenHash };
  if (!request.req_token || request.card_token !== undefined) return cards;
  const known = await stores.cards.tokenOf(stored, cards.kept, vault.holderFingerprint(card.holder));
  return known === undefined ? { ...cards, save: vault.newToken(card.holder) } : { ...cards, tokenHash: known };
}

/** Openers for the values that are held for the first request alone. */
function heldOpeners(
  securityCodes: CardDeps['securityCodes'],
  runId: string,
): Readonly<Record<keyof HeldSecrets, () => string | undefined>> {
  const opener = (part: keyof HeldSecrets) => () => securityCodes.of(runId)?.[part];
  return {
    cvv: opener('cvv'),
    cryptogram: opener('cryptogram'),
    'wallet-token': opener('wallet-token'),
  };
}

/** Opens the token of a wallet that goes to the provider as it came. */
export function walletOpener({ securityCodes }: CardDeps, runId: string): NonNullable<Host['openCard']> {
  const openers: Partial<Record<CardPart, () => string | undefined>> = heldOpeners(securityCodes, runId);
  return ({ part }) => openers[part]?.();
}

/** The cards of a payment as its flow sees them, and what the runtime opens their handles with. */
export interface CardsOfPayment {
  readonly card: PaymentCard;
  readonly payeeCard?: PayeeCard;
  readonly openCard: NonNullable<Host['openCard']>;
}

/**
 * The cards of a payment's operation. Numbers come from the vault; the security code only from the memory of the process in which
 * it was entered, so that after a crash the flow learns that it is gone.
 */
export async function cardsOfPayment(
  { stores, vault, securityCodes }: CardDeps,
  { cardId, payeeCardId, operation, digitalWallet }: Payment,
  runId: string,
): Promise<CardsOfPayment | undefined> {
  const kept = cardId === null ? undefined : await stores.cards.find(cardId);
  const payee = payeeCardId === null ? undefined : await stores.cards.find(payeeCardId);
  if (kept === undefined) return undefined;
  const number = vault.openNumber(kept);
  const openers: Readonly<Record<CardPart, () => string | undefined>> = {
    number: () => number,
    ...heldOpeners(securityCodes, runId),
    'payee-number': () => payee && vault.openNumber(payee),
  };
  return {
    card: {
      number: new CardHandle('number'),
      // A payout asks for none, and a wallet's card has none.
      ...(operation !== 'credit' && digitalWallet === null && { cvv: new CardHandle('cvv') }),
      // A number that was taken away is known by its first six digits.
      bin: binOf(number ?? kept.firstSix),
      ...(kept.brand !== '' && { brand: kept.brand }),
      ...(kept.brandChosenBy !== null && { coBranded: true }),
      ...expiryOf(kept.expiryMonth, kept.expiryYear),
      holder: vault.openHolder(kept) ?? '',
      ...(kept.fromToken && { stored: true }),
    },
    ...(payee && { payeeCard: { number: new CardHandle('payee-number') } }),
    openCard: ({ part }) => openers[part](),
  };
}

/**
 * Recognises the numbers of a payment's cards by their fingerprints, so that what a provider repeats of them is masked: also in another process,
 * and when the numbers have been taken away. `undefined` for payments without a card.
 *
 * @param held a card that the caller has just read
 */
export async function numbersOfPayment(
  { stores, vault }: CardDeps,
  { cardId, payeeCardId }: Payment,
  held?: StoredCard,
): Promise<NonNullable<Host['isCardNumber']> | undefined> {
  const ids = [cardId, payeeCardId].filter((id) => id !== null);
  const kept = await Promise.all(ids.map((id) => (id === held?.id ? held : stores.cards.find(id))));
  const cards = kept.filter((card) => card !== undefined);
  if (cards.length === 0) return undefined;
  // A fingerprint costs a thousand times as much as a look at the digits that are no secret.
  const like = (digits: string) =>
    cards.filter(({ firstSix, lastFour }) => digits.startsWith(firstSix) && digits.endsWith(lastFour));
  return (digits) => like(digits).some(({ fingerprint }) => fingerprint === vault.fingerprint(digits));
}

/** The event of a notification without its payment's cards. They are read only where digits look like a number. */
export async function withoutCardsOf<E extends ProviderEvent>(
  context: CardDeps,
  payment: Payment,
  event: E,
): Promise<E> {
  let hasDigits = false;
  eventWithoutCards(event, () => ((hasDigits = true), false));
  const isCardNumber = hasDigits ? await numbersOfPayment(context, payment) : undefined;
  const masked = eventWithoutCards(event, isCardNumber ?? (() => false));
  // Two events whose ids differ in the number alone stay two.
  return masked.id === event.id ? masked : { ...masked, id: context.vault.fingerprint(event.id) };
}

const expiryOf = (expiryMonth: string | null, expiryYear: string | null) =>
  expiryMonth === null || expiryYear === null ? {} : { expiryMonth, expiryYear };
