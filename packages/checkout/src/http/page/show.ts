import type { PageDeps } from '../deps.ts';
import { openRunInput } from '../../payments/payment.ts';
import { isFailed } from '../../payments/status.ts';
import { versionOf, type LoadedSession } from './load-session.ts';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import {
  chooseLanguage,
  pageHeaders,
  payerLocale,
  renderPage,
  ticketOf,
  ticketsArePrinted,
  unavailablePage,
} from '../../page/index.ts';
import type { HttpEnv } from '../basics/answers.ts';
import { randomBytes } from 'node:crypto';
import { inOneLine } from '@railyard/core';
import type { Issue, ScheduleTerms } from '@railyard/core/protocol';
import type { PageField, PageModel, PageState } from '../../page/model.ts';
import { besideOf, continuing, pageState, type PageFacts } from './state.ts';
import { languages, problemIn, type InLanguage } from '../../page/texts/index.ts';
import { namedSchedule, termsOf } from '../../schedules.ts';
import { vatOf, type OpenSession } from '../../sessions/session.ts';
import { brandingOf } from '../../page/branding.ts';
import { payerSaysAmount } from '../../sessions/payer-input.ts';
import { savedCards } from '../../cards/index.ts';

/**
 * The payer's entries in the last attempt if it failed, by path, so that nothing is typed twice; of a card only the name:
 * an old date would be taken for the next card's.
 */
export async function enteredBefore(
  context: PageDeps,
  { attempts: [payment], payment: shown, runs: ofShown }: LoadedSession,
): Promise<ReadonlyMap<string, string>> {
  const runs = payment === undefined || payment === shown ? ofShown : await context.stores.runs.ofPayment(payment.id);
  const run = runs.find(({ purpose }) => purpose === payment?.operation);
  if (payment === undefined || !isFailed(payment) || run === undefined) return new Map();
  const { answers = {} } = openRunInput(context, run);
  const entered = new Map(Object.entries(answers));
  const card = payment.cardId === null ? undefined : await context.stores.cards.find(payment.cardId);
  if (card === undefined || card.fromToken) return entered;
  const holder = context.vault.openHolder(card);
  if (holder !== undefined) entered.set('card.name', holder);
  return entered;
}

/** Of countries with several time zones, the one by which their banks work. */
const BANKS: ReadonlyMap<string, string> = new Map([
  ['AR', 'America/Argentina/Buenos_Aires'],
  ['BR', 'America/Sao_Paulo'],
  ['CL', 'America/Santiago'],
  ['EC', 'America/Guayaquil'],
  ['ID', 'Asia/Jakarta'],
  ['MX', 'America/Mexico_City'],
  ['MY', 'Asia/Kuala_Lumpur'],
]);

type Zoned = Intl.Locale & { readonly timeZones?: readonly string[]; getTimeZones?(): readonly string[] };

/** The time zone of a country's banks; undefined where the country is not known or has several. @param country an alpha-2 code */
export function timeZoneOf(country: string | undefined): string | undefined {
  if (country === undefined || !/^[A-Z]{2}$/.test(country)) return undefined;
  const locale: Zoned = new Intl.Locale(`und-${country}`);
  const zones = locale.getTimeZones?.() ?? locale.timeZones ?? [];
  return BANKS.get(country) ?? (zones.length === 1 ? zones[0] : undefined);
}

type Entry = Pick<PageFacts, 'again' | 'leaving' | 'unpaid' | 'stays'> &
  Partial<Pick<PageFacts, 'chosen' | 'chosenCard' | 'entered' | 'amountTyped' | 'changesAmount' | 'problems'>>;

/** Renders the page of a session as it now stands. */
export async function showPage(
  context: PageDeps,
  c: Context<HttpEnv>,
  loaded: LoadedSession,
  entry: Entry,
  status: 200 | 422 = 200,
): Promise<Response> {
  const locale = payerLocale(c.req.header('accept-language'));
  // A form that was refused holds all that the payer wants to send.
  const before = entry.problems === undefined ? await enteredBefore(context, loaded) : [];
  const entered = new Map([...before, ...(entry.entered ?? [])]);
  const model = pageModel(context, loaded, {
    ...entry,
    entered,
    locale,
    savedCards: await savedCards(context, loaded.session),
    terms: await termsToAgreeTo(context, loaded.session),
    paidAt: await paidAt(context, loaded),
  });
  const options = pageOptions(c, loaded.session);
  return c.html(renderPage(model, options), status, pageHeaders(model, options));
}

/** When the payer paid the amount that the page shows. A hold is no payment yet, and after a refund or a part the amount would be untrue. */
async function paidAt({ stores }: PageDeps, { payment, session }: LoadedSession): Promise<Date | undefined> {
  if (payment?.state !== 'settled' || payment.operation === 'credit' || payment.refundedMinor > 0n) return undefined;
  const { amount } = session.request;
  const { received } = payment;
  if (amount !== 'payer' && received?.currency === amount.currency && received.minor < amount.minor) return undefined;
  return (await stores.payments.eventsOf(payment.id)).find(({ toState }) => toState === 'settled')?.at;
}

/** The terms of the schedule that the payer is asked to agree to, if the merchant wants that (reference: recurring_consent_required). */
async function termsToAgreeTo(context: PageDeps, { request, stored }: OpenSession): Promise<ScheduleTerms | undefined> {
  const { schedule_id, recurring_consent_required } = request;
  if (schedule_id === undefined || !recurring_consent_required) return undefined;
  const schedule = await namedSchedule(context, stored, schedule_id);
  return schedule && termsOf(schedule);
}

/** The error page of a session, which leads to its `error_url`. */
export function showError(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Response {
  const { session, payment } = loaded;
  const model = modelOf(context, loaded, {
    kind: 'error',
    ...continuing(session.request.error_url, session, payment),
  });
  const options = pageOptions(c, session);
  return c.html(renderPage(model, options), 500, pageHeaders(model, options));
}

/** The answer at the address of a page that failed before it was known whose it is. */
export function pageFailed(c: Context<HttpEnv>): Response {
  const options = pageOptions(c);
  const base = c.req.path.split('/', 3).join('/');
  const page = unavailablePage({ base, language: options.language, why: 'failed' });
  return c.html(page, 500, pageHeaders(undefined, options));
}

/** The answer at the address of a page that cannot be looked up just now. @param retryAfter seconds */
export const pageUnavailable = (c: Context<HttpEnv>, retryAfter: number): Response =>
  comeBackLater(c, 'unavailable', 503, retryAfter);

/** The answer to a payer whose address has had too many attempts declined. @param retryAfter seconds */
export const tooManyDeclines = (c: Context<HttpEnv>, retryAfter: number): Response =>
  comeBackLater(c, 'too-many-declines', 429, retryAfter);

function comeBackLater(
  c: Context<HttpEnv>,
  why: 'unavailable' | 'too-many-declines',
  status: 429 | 503,
  retryAfter: number,
): Response {
  const options = pageOptions(c);
  const base = c.req.path.split('/', 3).join('/');
  const headers = { ...pageHeaders(undefined, options), 'retry-after': String(retryAfter) };
  return c.html(unavailablePage({ base, language: options.language, why }), status, headers);
}

/** Fresh for every answer: the nonce of its policy, and the payer's language. */
export const pageOptions = (c: Context, session?: OpenSession) => ({
  nonce: randomBytes(16).toString('base64'),
  language: pageLanguage(c, session),
});

const LANGUAGE_COOKIE = 'language';

/**
 * Keeps the payer's choice for this page, also in a frame of the merchant's page, where a browser keeps a cookie only if it is
 * partitioned and secure. The cookie says nothing else, and no other page is sent it.
 */
export function keepLanguage(c: Context, language: string | undefined, publicUrl: string): void {
  if (language === undefined || !languages.has(language)) return;
  const path = c.req.path.split('/', 3).join('/');
  const isSecure = publicUrl.startsWith('https:');
  const across = isSecure
    ? ({ sameSite: 'None', secure: true, partitioned: true } as const)
    : { sameSite: 'Lax' as const };
  setCookie(c, LANGUAGE_COOKIE, language, { path, httpOnly: true, ...across });
}

/** The payer's choice; else the language of the session (protocol: billing_address.language) before the browser's languages. */
export function pageLanguage(c: Context, session?: OpenSession): string {
  const chosen = getCookie(c, LANGUAGE_COOKIE);
  const wishes = [chosen, session?.request.billing_address?.language, c.req.header('accept-language')];
  return chooseLanguage(wishes.filter((wish) => wish !== undefined).join(','));
}

/** Problems with entries, by the names of their inputs, in a language. @param fields that the page asks for */
export function problemsFor(
  page: InLanguage,
  issues: readonly Issue[],
  fields: readonly PageField[],
): { name: string; text: string }[] {
  return issues.map(({ path, message, said }) => {
    const field = fields.find(({ name }) => name === path);
    return { name: path, text: problemIn(page, { input: 'text', ...field, problem: said ?? message }) };
  });
}

/** The answer to an address that leads to no session. */
export function missingPage(c: Context<HttpEnv>): Response {
  return c.text('There is no payment page at this address. Go back to the shop and start again.', 404, {
    'cache-control': 'no-store',
  });
}

/** The answer to a form that no page of this service sends. */
export function formTooLarge(c: Context<HttpEnv>): Response {
  return c.text('The form is too large. Go back and enter less.', 413, { 'cache-control': 'no-store' });
}

/** The link target of the MID, the payment's or the shown method's, overrides the request's (protocol: Override Link Target). */
function linkTarget({ directory }: PageDeps, { payment, session }: LoadedSession, state: PageState) {
  const key = state.kind === 'ask' || state.kind === 'amount' ? state.method.key : undefined;
  if (payment !== undefined && key === undefined) return directory.mid(payment.midId)?.config.linkTarget;
  return session.routes.find((route) => route.key === key)?.mid.config.linkTarget;
}

/** Nothing while the payer chooses the amount; the amount received, once it has arrived. */
function amountShown({ session, payment }: LoadedSession, state: PageState): PageModel['amount'] {
  const { amount, order } = session.request;
  if (amount === 'payer' && state.kind === 'success' && payment?.received) {
    const { text, currency } = payment.received;
    return { text, currency };
  }
  if (state.kind === 'ask' && state.amount !== undefined) return state.amount;
  const isAsked = (state.kind === 'amount' || state.kind === 'choose') && payerSaysAmount(session.request);
  return amount === 'payer' || isAsked ? undefined : { text: amount.text, currency: order.currency };
}

/** The page of an attempt that is under way, which asks for nothing. */
export const modelUnderWay = (context: PageDeps, loaded: LoadedSession): PageModel =>
  pageModel(context, loaded, { again: false, savedCards: [], terms: undefined });

function pageModel(
  context: PageDeps,
  loaded: LoadedSession,
  entry: Entry & Pick<PageFacts, 'savedCards' | 'locale' | 'terms' | 'paidAt'>,
): PageModel {
  const { session, payment, attempts, runs } = loaded;
  return modelOf(context, loaded, pageState(context, { session, payment, attempts, runs, ...entry }));
}

/** Before an attempt there is nothing to give up but the session. */
const BEFORE_PAYING: ReadonlySet<PageState['kind']> = new Set(['choose', 'amount', 'ask']);

/**
 * Whether the payer can give an attempt up and pay another way: only while its flow waits for the payer and moves nothing unless it goes on.
 * A code that a provider has made can still be paid, and a second payment beside it could be paid as well.
 */
const mayTurnBack = (state: PageState): boolean =>
  (state.kind === 'next-action' || state.kind === 'visit') && state.nextAction.mayTurnBack;

/** An attempt that waits for the payer, who can go back to the shop. */
const LEAVABLE: ReadonlySet<PageState['kind']> = new Set(['next-action', 'visit', 'show']);

/** The country in which the attempt is paid: the only one of its method, or the payer's. */
function homeOf({ session, payment }: LoadedSession): string | undefined {
  const method = session.routes.find(({ key }) => key === payment?.methodAlias)?.method;
  const homes = method?.countries ?? method?.home?.countries ?? [];
  return homes.length === 1 ? homes[0] : session.request.billing_address?.country;
}

function modelOf(context: PageDeps, loaded: LoadedSession, state: PageState): PageModel {
  const { session, token } = loaded;
  const { order, operation, url_target } = session.request;
  const vat = vatOf(session, loaded.payment?.received?.text);
  const canChange = mayTurnBack(state);
  const beside = state.kind === 'show' || BEFORE_PAYING.has(state.kind) ? besideOf(context, loaded) : undefined;
  const timeZone = timeZoneOf(homeOf(loaded));
  return {
    merchantName: session.merchant.config.name,
    orderNumber: order.number,
    description: inOneLine(order.description),
    amount: amountShown(loaded, state),
    ...(vat && { vat: { rate: vat.rate, amount: { text: vat.amount.text, currency: order.currency } } }),
    branding: brandingOf(session.merchant.config, session.request.form_id),
    operation,
    test: session.stored.test,
    expiresAt: session.stored.expiresAt.toISOString(),
    now: new Date(context.now()).toISOString(),
    base: `/auth/${token}`,
    printsTickets: ticketsArePrinted,
    canCancel: BEFORE_PAYING.has(state.kind) || LEAVABLE.has(state.kind),
    canChange,
    ...(beside && { beside }),
    ...(timeZone !== undefined && { timeZone }),
    version: versionOf(loaded, context.now()),
    frameOrigins: session.merchant.config.frameOrigins,
    urlTarget: linkTarget(context, loaded, state) ?? url_target ?? '_self',
    state,
  };
}

/** It is opened in a tab of its own, or kept as a file; it has no scripts and loads nothing. */
const HEADERS = {
  'content-type': 'application/pdf',
  'content-disposition': 'inline; filename="ticket.pdf"',
  'content-security-policy': "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  vary: 'Accept-Language',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
};

/** The voucher that the page shows, as a document to print. */
export async function showTicket(context: PageDeps, c: Context<HttpEnv>, loaded: LoadedSession): Promise<Response> {
  const language = pageLanguage(c, loaded.session);
  const ticket = ticketOf(modelUnderWay(context, loaded), language);
  if (ticket === undefined) return missingPage(c);
  const { ticketPdf } = await import('@railyard/ticket');
  return c.body(await ticketPdf(ticket, new Date(context.now())), 200, { ...HEADERS, 'content-language': language });
}
