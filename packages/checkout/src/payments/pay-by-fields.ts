import { isDeepStrictEqual } from 'node:util';
import { TEXTS } from '@railyard/core';
import { issue, type Issue } from '@railyard/core/protocol';
import type { PayerBrowser } from '@railyard/core/driver';
import { CARD_TEXTS, readCard, type CardRequirements, type ReadCard } from '../cards/card.ts';
import {
  chosenIn,
  enteredCard,
  enteredFields,
  NEW_CARD,
  openEntered,
  sealEntered,
  type EnteredCard,
} from '../cards/entered.ts';
import { savedCards, type CardEntry, type SavedCard } from '../cards/index.ts';
import type { FetchedCode } from '../cards/entered-codes.ts';
import {
  accountFor,
  accountOfSaved,
  cardRequirements,
  coBrandsAt,
  isOneWordName,
  openSaved,
  takenBy,
  takesCard,
} from '../cards/paid-with.ts';
import type { Route } from '../merchants/directory.ts';
import { digitsOf, nameProblem, type CoBrands } from '../rules/browser/card-rules.js';
import { readStoredSession, type OpenSession } from '../sessions/session.ts';
import type { Payment, Session } from '../storage/index.ts';
import { nextPaymentId, prepareAttempt } from './pay.ts';
import { turnBack } from './lookups.ts';
import { executedWithin, storePayout } from './pay-by-command.ts';
import type { Known } from './payment.ts';
import type { OperationDeps } from './runs/deps.ts';
import { isFailed, liveOf } from './status.ts';

/** A session may last so long (protocol: session_expiry), and with it a code is held. */
const LONGEST_MS = 720 * 60_000;

/** A payer's entries in the fields; a part that is not sent is not there. */
export interface TypedCard {
  readonly number?: string | undefined;
  /** The network that the payer chose of a co-branded card. */
  readonly brand?: string | undefined;
  readonly expiry?: string | undefined;
  readonly cvv?: string | undefined;
  /** The place of a saved card in the request. */
  readonly saved?: string | undefined;
  /** The address of the browser that sends it. */
  readonly from?: string | undefined;
}

export type Entering =
  | { readonly kind: 'entered'; readonly brand: string; readonly lastFour: string }
  | { readonly kind: 'invalid'; readonly issues: readonly Issue[] }
  /** A payment has begun that may bring money or has brought it. */
  | { readonly kind: 'busy' }
  /** No payment can begin in the session any more. */
  | { readonly kind: 'over' };

/** Whether a payment may still begin in a session. */
export const isOpenAt = ({ state, expiresAt }: Session, now: number): boolean =>
  state === 'open' && expiresAt.getTime() > now;

/** As long as the token is good. */
const heldMs = ({ now }: OperationDeps, { expiresAt }: Session): number =>
  Math.min(expiresAt.getTime() - now(), LONGEST_MS);

/** The payment of the session that its payer sees. */
async function livePayment({ stores }: OperationDeps, { stored }: OpenSession): Promise<Payment | undefined> {
  if (stored.livePaymentId === null) return undefined;
  return liveOf(await stores.payments.ofSession(stored.id), stored.paidPaymentId);
}

/** Why no card can be entered now. */
const hindrance = ({ now }: OperationDeps, { stored }: OpenSession, live: Payment | undefined) =>
  live !== undefined && !isFailed(live) ? 'busy' : isOpenAt(stored, now()) ? undefined : 'over';

/** The ways to pay a session by card, in the order of the request. */
export const cardRoutes = (context: OperationDeps, session: OpenSession): readonly Route[] =>
  session.routes.filter((route) => takesCard(context, session, route));

/** The networks that the session takes. */
export const brandsOf = (context: OperationDeps, session: OpenSession): string[] => [
  ...new Set(cardRoutes(context, session).flatMap(takenBy)),
];

/** The co-branded cards that the session takes. */
export function coBrandsOf(context: OperationDeps, session: OpenSession): readonly CoBrands[] {
  const offered = cardRoutes(context, session).flatMap((route) => coBrandsAt(session, route));
  const isOffered = (from: string, name: string) =>
    offered.some((range) => range.from === from && range.brands.includes(name));
  return session.merchant.config.coBrands
    .map((range) => ({ ...range, brands: range.brands.filter((name) => isOffered(range.from, name)) }))
    .filter(({ brands }) => brands.length > 0);
}

/** The account that takes a card; where none does, the first, whose answer says so. */
function routeFor(
  context: OperationDeps,
  session: OpenSession,
  saved: SavedCard | undefined,
  number: string,
  brand: string | undefined,
): Route | undefined {
  const routes = cardRoutes(context, session);
  const found =
    saved === undefined ? accountFor(session, routes, number, brand) : accountOfSaved(context, session, routes, saved);
  return found?.route ?? routes[0];
}

const savedAs = (saved: readonly SavedCard[], key: string | undefined): SavedCard | undefined =>
  saved.find((each) => each.key === key);

/**
 * Keeps the card that a payer has entered into the fields: its number sealed, its code in the memory of this process alone, for as long as the
 * token is good. The code alone goes with the card that was entered before. A payer who enters another card gives the payment up that waits for
 * them at a bank, as on the page.
 */
export async function enterCard(context: OperationDeps, session: OpenSession, typed: TypedCard): Promise<Entering> {
  const { stored } = session;
  const { from } = typed;
  const live = await livePayment(context, session);
  // Where the session is over, no other payment could follow.
  const waiting = isOpenAt(stored, context.now()) && isUnderWay(live) ? live : undefined;
  const hindered = waiting === undefined ? hindrance(context, session, live) : undefined;
  if (hindered === 'over') return { kind: hindered };
  const before = isCodeAlone(typed) ? enteredBefore(context, stored) : undefined;
  const old = before && (stored.entryId ?? undefined);
  const fields = typedFields(typed, before);
  const saved = await savedCards(context, session);
  const read = readTyped(context, session, saved, fields);
  if (!read.ok) return hindered === undefined ? { kind: 'invalid', issues: read.issues } : { kind: hindered };
  const card = enteredCard(read.entry, read.requirements.saved, from);
  if (isEnteredAlready(context, session, read.entry, card) || (await isPaidWith(context, live, read.entry)))
    return enteredAs(read.entry);
  if (hindered !== undefined) return { kind: hindered };
  if (waiting === undefined) return keptCard(context, session, read, { old, card });
  await turnBack(context, waiting);
  const now = await readAgain(context, session);
  const still = hindrance(context, now, await livePayment(context, now));
  return still === undefined ? keptCard(context, now, read, { old, card }) : { kind: still };
}

const enteredAs = ({ card }: CardEntry): Entering => ({
  kind: 'entered',
  brand: card.brand,
  lastFour: card.number.slice(-4),
});

/** Whether the session has this card with this code: a form that is sent twice enters it once. */
function isEnteredAlready(
  context: OperationDeps,
  { stored }: OpenSession,
  { cvv }: CardEntry,
  card: EnteredCard,
): boolean {
  if (stored.entryId === null || context.enteredCodes.of(stored.entryId) !== cvv) return false;
  return isDeepStrictEqual(enteredBefore(context, stored), card);
}

/** A payer who is sent to a bank and turns back needs longer to enter the same card again. */
const SENT_TWICE_MS = 30_000;

/** Whether a payment that may bring money has just begun with this card: the form was sent twice, and no payer gives the payment up. */
async function isPaidWith(
  { stores, vault, now }: OperationDeps,
  live: Payment | undefined,
  { card: { number, brand, expiryMonth, expiryYear } }: CardEntry,
): Promise<boolean> {
  if (live === undefined || isFailed(live) || live.cardId === null) return false;
  if (now() - live.createdAt.getTime() > SENT_TWICE_MS) return false;
  const paid = await stores.cards.find(live.cardId);
  return (
    paid?.fingerprint === vault.fingerprint(number) &&
    paid.brand === brand &&
    paid.expiryMonth === expiryMonth &&
    paid.expiryYear === expiryYear
  );
}

const isUnderWay = (payment: Payment | undefined): boolean =>
  payment?.state === 'created' || payment?.state === 'pending';

async function keptCard(
  context: OperationDeps,
  session: OpenSession,
  { entry }: TypedRead,
  { old, card }: { readonly old: string | undefined; readonly card: EnteredCard },
): Promise<Entering> {
  const { cvv } = entry;
  const { stored } = session;
  const entryId = context.newId();
  const entryText = sealEntered(context.sealer, stored.id, card);
  // Before the entry can be paid with: a payment that finds no code would ask for it again.
  if (cvv !== undefined) context.enteredCodes.hold({ entryId, sessionId: stored.id }, cvv, heldMs(context, stored));
  let isKept = false;
  try {
    isKept = await context.stores.sessions.keepEntry(stored.id, { entryId, entryText }, old);
  } finally {
    if (!isKept) context.enteredCodes.forget(entryId);
  }
  if (!isKept) {
    const now = await readAgain(context, session);
    return (await isPaidWith(context, await livePayment(context, now), entry)) ? enteredAs(entry) : { kind: 'busy' };
  }
  if (stored.entryId !== null) context.enteredCodes.forget(stored.entryId);
  return enteredAs(entry);
}

const isCodeAlone = ({ number, expiry, saved }: TypedCard): boolean =>
  number === undefined && expiry === undefined && saved === undefined;

const enteredBefore = ({ sealer }: OperationDeps, { id, entryText }: Session): EnteredCard | undefined =>
  entryText === null ? undefined : openEntered(sealer, id, entryText);

function typedFields(
  { number, brand, expiry, cvv, saved }: TypedCard,
  before: EnteredCard | undefined,
): Map<string, string> {
  const typed = Object.entries({ 'card.number': number, 'card.brand': brand, 'card.expiry': expiry, 'card.cvv': cvv });
  const given = typed.flatMap(([name, text]): [string, string][] => (text === undefined ? [] : [[name, text]]));
  return new Map([
    ...(before ? enteredFields(before) : []),
    ['card.saved', saved ?? before?.saved ?? NEW_CARD],
    ...given,
  ]);
}

type TypedRead = Extract<ReadCard, { ok: true }> & { readonly requirements: CardRequirements };

/** Reads a card by the rules of the page. The name on it comes with the payment. */
function readTyped(
  context: OperationDeps,
  session: OpenSession,
  saved: readonly SavedCard[],
  fields: ReadonlyMap<string, string>,
): TypedRead | Extract<ReadCard, { ok: false }> {
  const used = savedAs(saved, fields.get('card.saved'));
  const number = digitsOf(fields.get('card.number') ?? '');
  const route = routeFor(context, session, used, number, fields.get('card.brand') || undefined);
  const asked = route && cardRequirements(context, session, route, saved, fields.get('card.saved'));
  if (asked === undefined) return { ok: false, issues: [issue('card.number', CARD_TEXTS.brand)] };
  const requirements = { ...asked, namedLater: true } as const;
  const read = readCard(requirements, fields, (each) => openSaved(context, each));
  if (!read.ok) return read;
  // A stranger who has the token has no code, and without one could pay with a saved card.
  if (requirements.saved !== undefined && read.entry.cvv === undefined)
    return { ok: false, issues: [issue('card.cvv', CARD_TEXTS.blank)] };
  return { ...read, requirements };
}

/** The card that a session has, as its form may show it. */
export async function enteredIn(
  context: OperationDeps,
  session: OpenSession,
): Promise<{ readonly brand: string; readonly lastFour: string } | undefined> {
  const { stored } = session;
  const entered = enteredBefore(context, stored);
  if (entered === undefined) return undefined;
  const used = savedAs(await savedCards(context, session), entered.saved);
  return { brand: entered.brand, lastFour: used?.kept.lastFour ?? entered.number.slice(-4) };
}

/** The part of a payment that the merchant's server sends. */
export interface FieldsPayment {
  /** The name on the card. */
  readonly name: string;
  /** By path, as the page names its inputs. */
  readonly answers: Readonly<Record<string, string>>;
  readonly browser?: PayerBrowser;
  /** @returns seconds to wait where too many cards from one of these addresses were declined */
  readonly declinesSpent: (addresses: readonly string[]) => Promise<number | undefined>;
}

export type PaidByFields =
  /** Begun now, or by an earlier request that had the same card. */
  | { readonly kind: 'begun'; readonly known: Known }
  | { readonly kind: 'invalid'; readonly issues: readonly Issue[] }
  /** Another request is about to begin a payment, or the payer has just entered another card. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'over' }
  /** Too many cards from one of the payer's addresses were declined. */
  | { readonly kind: 'limited'; readonly seconds: number };

/** Nothing was entered into the fields, or nothing since the payment before. */
const NOTHING_ENTERED =
  'No card was entered into the payment fields. Have the payer enter it, and send this request again.';
/** The process that had it is gone. */
const CODE_GONE =
  'The security code is not there any more. Have the payer enter it again, and send this request again.';

/** The address of the payer (protocol: customer.ip): without it that of the system which asked for the token. */
const payerAddress = ({ request, fields }: OpenSession): string | undefined =>
  request.customer?.ip ?? fields?.askedFrom;

/**
 * Pays with the card that was entered into the fields, by the same start as any payment. An entry begins one payment: a request that finds none new
 * is answered as the payment before stands.
 */
export async function payByFields(
  context: OperationDeps,
  session: OpenSession,
  given: FieldsPayment,
): Promise<PaidByFields> {
  const { stored } = session;
  const live = await livePayment(context, session);
  if (live !== undefined && (!isFailed(live) || stored.entryId === null)) return begun({ payment: live });
  if (!isOpenAt(stored, context.now())) return { kind: 'over' };
  const entered = enteredBefore(context, stored);
  if (entered === undefined || stored.entryId === null) return invalid('card.number', NOTHING_ENTERED);
  // A saved card has its own name: the rules of its form do not ask for one.
  const unnamed = entered.saved === undefined ? undefined : nameProblem(given.name, isOneWordName(session));
  if (unnamed !== undefined) return invalid('card.name', CARD_TEXTS[unnamed]);
  const { entryId } = stored;
  const addresses = [session.request.customer?.ip, entered.from].filter((each) => each !== undefined);
  // An earlier payment is answered whatever has been declined since.
  const seconds = await given.declinesSpent(addresses);
  if (seconds !== undefined) return { kind: 'limited', seconds };
  const code = entered.withoutCode ? undefined : await codeOf(context, session, entryId);
  if (code !== undefined && code.kind !== 'here') return withoutItsCode(context, session, code);
  const saved = await savedCards(context, session);
  const route = routeFor(context, session, savedAs(saved, entered.saved), entered.number, chosenIn(entered));
  if (route === undefined) return invalid('methods', TEXTS.choice);
  const fields: [string, string][] = [...enteredFields(entered), ['card.name', given.name]];
  if (code !== undefined) fields.push(['card.cvv', code.cvv]);
  const ip = payerAddress(session);
  const prepared = prepareAttempt(context, session, {
    methodKey: route.key,
    answers: given.answers,
    card: { entered: new Map(fields), saved },
    ip,
    ...(given.browser && { browser: given.browser }),
    ...(entered.from !== undefined && { enteredFrom: entered.from }),
  });
  if (!prepared.ok) return { kind: 'invalid', issues: prepared.issues };
  const attempt = { ...prepared.attempt, id: nextPaymentId(context, session), entryId };
  const payment = await storePayout(context, prepared.session, { ...prepared, attempt }, ip);
  if (payment === undefined) return overtaken(context, session);
  context.enteredCodes.forget(entryId);
  const known = await executedWithin(context, prepared.session, payment);
  return begun(known ?? { payment: payment.payment });
}

const begun = (known: Known): PaidByFields => ({ kind: 'begun', known });

const invalid = (path: string, message: string): PaidByFields => ({ kind: 'invalid', issues: [issue(path, message)] });

/** The code of an entry. Other processes are asked for it only where no payment has taken it meanwhile. */
async function codeOf(context: OperationDeps, session: OpenSession, entryId: string): Promise<FetchedCode> {
  const cvv = context.enteredCodes.of(entryId);
  if (cvv !== undefined) return { kind: 'here', cvv };
  if (await hasChanged(context, session)) return { kind: 'gone' };
  return context.enteredCodes.fetch({ entryId, sessionId: session.stored.id }, heldMs(context, session.stored));
}

async function hasChanged(context: OperationDeps, session: OpenSession): Promise<boolean> {
  const now = await readAgain(context, session);
  return now.stored.entryId !== session.stored.entryId;
}

/** Another request with the same entry may have begun its payment meanwhile, or be about to, and have the code for it. */
async function withoutItsCode(
  context: OperationDeps,
  session: OpenSession,
  { kind }: FetchedCode,
): Promise<PaidByFields> {
  if (await hasChanged(context, session)) return overtaken(context, session);
  if (kind === 'elsewhere') return { kind: 'busy' };
  context.log.warn({ event: 'security-code-gone', session: session.stored.id, test: session.stored.test });
  return invalid('card.cvv', CODE_GONE);
}

/** The answer where the session changed since it was read. The code may have come here for the payment that another process has begun. */
async function overtaken(context: OperationDeps, session: OpenSession): Promise<PaidByFields> {
  const now = await readAgain(context, session);
  const { entryId } = session.stored;
  if (entryId !== null && now.stored.entryId !== entryId) context.enteredCodes.forget(entryId);
  const live = await livePayment(context, now);
  if (live !== undefined && (!isFailed(live) || now.stored.entryId === null)) return begun({ payment: live });
  return isOpenAt(now.stored, context.now()) ? { kind: 'busy' } : { kind: 'over' };
}

async function readAgain(context: OperationDeps, session: OpenSession): Promise<OpenSession> {
  const stored = await context.stores.sessions.find(session.stored.id);
  return stored === undefined ? session : readStoredSession(context, stored);
}
