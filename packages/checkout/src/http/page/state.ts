import type { PageDeps } from '../deps.ts';
import { returnUrl, type OpenSession } from '../../sessions/session.ts';
import type { FlowRun, Payment } from '../../storage/index.ts';
import { money, type PayerText, type Show } from '@railyard/core';
import type { ScheduleTerms } from '@railyard/core/protocol';
import { cardInputs, type CardRequirements, type SavedCard } from '../../cards/index.ts';
import type {
  CardForm,
  Decline,
  FailedAttempt,
  PageAmount,
  PageBeside,
  PageConsent,
  PageField,
  PageMethod,
  PageState,
  SavedCardChoice,
  WalletForm,
} from '../../page/model.ts';
import { isSupported } from '../../payments/modify.ts';
import type { LoadedSession } from './load-session.ts';
import { PAID_ELSEWHERE } from '../../payments/change/plan.ts';
import { isRenewable, isWithdrawable } from '../../payments/runs/again.ts';
import { isWaitingForPayer, storedNextAction, storedShow } from '../../payments/payment.ts';
import type { Route } from '../../merchants/directory.ts';
import { cardRequirements, savedAt } from '../../cards/paid-with.ts';
import { BRANDS, NAME_LENGTH } from '../../rules/browser/card-rules.js';
import { isDeclineCode } from '@railyard/core/driver';
import { isFailed } from '../../payments/status.ts';
import { WALLET_TOKEN, walletOf, walletProblem } from '../../cards/wallet.ts';
import { breach, choicesOf, resolveMethod, scopeOf, type FieldState, type Resolution } from '@railyard/core/registry';
import {
  AMOUNT_FIELD,
  CONSENT_FIELD,
  COUNTRY,
  POSTCODE,
  REVIEW,
  STATE,
  WRITTEN_IN,
  asTyped,
  payerSaysAmount,
  readAmount,
  requiredIn,
  understood,
  withAmount,
} from '../../sessions/payer-input.ts';
import { countriesWithStates } from '@railyard/core/payer';
import { countryOfNumber } from '../../sessions/phone-number.ts';
import { withNumbers } from '../../sessions/phones.ts';

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

export const methodOf = ({ key, names }: Route): PageMethod => ({ key, ...names });

/** Methods as rows of a list: those of the payer's country first, unless the request or the merchant's rules say an order. */
function rowsOf(context: PageDeps, facts: PageFacts, routes: readonly Route[]): readonly PageMethod[] {
  const { request, merchant } = facts.session;
  const isOrdered =
    (request.methods ?? []).length > 0 || merchant.config.rules.some(({ methods }) => methods !== undefined);
  const country = isOrdered ? undefined : countryOf(facts.session);
  const own = country === undefined ? [] : routes.filter((route) => isOf(route, country));
  return [...own, ...routes.filter((route) => !own.includes(route))].map((route) => ({
    ...methodOf(route),
    ...(isPaidAtOnce(context, facts, route) && { atOnce: true as const }),
  }));
}

/** The country of the payer, or of the payee of a credit, as far as the session has it. */
function countryOf({ request }: OpenSession): string | undefined {
  const address = request.operation === 'credit' ? request.payee_billing_address : request.billing_address;
  return address?.country ?? countryOfNumber(address?.phone ?? '');
}

function isOf({ method: { countries, home } }: Route, country: string): boolean {
  return (countries ?? home?.countries)?.includes(country) === true;
}

/** Whether nothing is asked before the payment begins, and a further step of the payer follows before money moves. */
function isPaidAtOnce(context: PageDeps, facts: PageFacts, route: Route): boolean {
  const { request } = facts.session;
  if (request.operation !== 'purchase' || payerSaysAmount(request)) return false;
  const { fields, card, wallet, consent } = inputsOf(context, route, facts);
  const asksNothing = fields.length === 0 && card === undefined && wallet === undefined && consent === undefined;
  return asksNothing && (route.method.operations.purchase?.completion ?? []).length > 0;
}

/** A payment from before there were codes, or whose code a later version wrote, has its reason alone. */
export const declineOf = ({ declineCode, reason }: Payment): Decline => ({
  reason: reason ?? '',
  ...(declineCode !== null && isDeclineCode(declineCode) && { code: declineCode }),
});

/** Whether the payer ended the attempt: nothing was refused. */
export const isStopped = ({ declineCode }: Payment): boolean => declineCode === 'stopped_by_payer';

/** Why the last attempt brought nothing, and how often it may be tried again. */
export function failureOf({ merchant }: OpenSession, payment: Payment): FailedAttempt {
  return { decline: declineOf(payment), attemptsLeft: Math.max(0, merchant.config.maxDeclines - payment.payerTry) };
}

/** The failure of the newest attempt. */
export function lastFailure({ session, attempts }: Pick<PageFacts, 'session' | 'attempts'>): FailedAttempt | undefined {
  const [newest] = attempts;
  return newest !== undefined && isFailed(newest) ? failureOf(session, newest) : undefined;
}

/** After an attempt that brought nothing, as long as the payer has not asked for another. */
export function afterAttempt(context: PageDeps, facts: PageFacts, payment: Payment): PageState {
  const { session, runs } = facts;
  const { stored, request, routes } = session;
  const { decline, attemptsLeft } = failureOf(session, payment);
  const usedUp = stored.state === 'cancelled' && attemptsLeft === 0;
  if (stored.state === 'cancelled' && (!usedUp || isStopped(payment)))
    return { kind: 'cancelled', ...continuing(request.cancel_url, session, payment) };
  const open = stored.state === 'open';
  if (!open && !usedUp && timeIsUp(context, session)) return late(session, payment, decline);
  const others = open ? rowsOf(context, facts, routes) : [];
  if (
    decline.code === 'technical_error' &&
    payment.declineKind === 'hard' &&
    runs.every(({ state }) => state === 'finished')
  )
    return {
      kind: 'error',
      nothingCharged: true,
      others,
      ...continuing(request.error_url ?? (usedUp ? request.cancel_url : undefined), session, payment),
    };
  return {
    kind: 'declined',
    decline,
    mayRetry: open,
    ...(open && { attemptsLeft, others: others.filter(({ key }) => key !== payment.methodAlias) }),
    ...(others.some(({ key }) => key === payment.methodAlias) && { method: payment.methodAlias }),
    usedUp,
    ...continuing(request.cancel_url, session, payment),
  };
}

/** A code that expired with its session was not refused: the payer was too late. Earlier refusals are shown beside it. */
function late(session: OpenSession, payment: Payment, decline: Decline): PageState {
  const before = payment.state === 'declined' && payment.updatedAt.getTime() < session.stored.expiresAt.getTime();
  return {
    kind: 'expired',
    ...continuing(session.request.expiry_url, session, payment),
    ...(before && { decline }),
  };
}

/** Whether the payer still has to say how much. `session`: with the amount that was said. */
export type AmountStep =
  | { readonly kind: 'asked'; readonly field: PageField }
  | { readonly kind: 'known'; readonly session: OpenSession; readonly amount?: PageAmount };

/**
 * How much is paid, where the payer says it: asked before anything else, so that the form which pays shows the amount as it was understood,
 * and no card is ever asked for before an error in it.
 */
export function amountStep(context: PageDeps, route: Route, facts: PageFacts): AmountStep {
  const { session, entered, problems, locale = 'en' } = facts;
  const { request } = session;
  if (!payerSaysAmount(request)) return { kind: 'known', session };
  const { amount, order } = request;
  const field = { name: AMOUNT_FIELD, label: 'Amount', help: order.currency, input: 'amount', required: true };
  const typed = entered?.get(AMOUNT_FIELD);
  const posted = problems?.get(AMOUNT_FIELD);
  if (typed === undefined || facts.changesAmount === true) {
    const before = typed ?? (amount === 'payer' ? undefined : amount.text);
    const value = posted === undefined && before !== undefined ? { value: asTyped(before, locale) } : {};
    return { kind: 'asked', field: { ...field, ...value, ...(posted !== undefined && { problem: posted }) } };
  }
  const isWritten = facts.amountTyped !== true && posted !== REVIEW;
  const read = readAmount(session, typed, isWritten ? WRITTEN_IN : locale);
  const problem = 'problem' in read ? read.problem : outside(context, session, route, read.text);
  const other = posted === REVIEW ? undefined : posted;
  if ('problem' in read || problem !== undefined || other !== undefined)
    return {
      kind: 'asked',
      field: {
        ...field,
        value: isWritten ? asTyped(typed, locale) : typed,
        problem: problem ?? other ?? REVIEW,
      },
    };
  const said = { text: read.text, currency: order.currency };
  return { kind: 'known', session: withAmount(session, read.text), amount: said };
}

/** The problem of an amount outside the account's limits; `undefined` for one within them. */
function outside(context: PageDeps, session: OpenSession, route: Route, text: string): string | undefined {
  const { request } = session;
  const { method, profile, mid, key } = route;
  const sources = { profile, mid: mid.defaults[method.key] ?? {}, today: today(context) };
  const amount = money(text, request.order.currency);
  return breach(method, request.operation, amount, scopeOf(request, key), sources)[0]?.message;
}

const today = (context: PageDeps): string => new Date(context.now()).toISOString().slice(0, 10);

type Answers = Readonly<Record<string, string>>;

/** The inputs for missing values, and for entries that the payer may correct. */
export function askedFields(
  context: PageDeps,
  session: OpenSession,
  route: Route,
  entered: ReadonlyMap<string, string> = new Map(),
): readonly PageField[] {
  const { request } = session;
  const answers = understood(Object.fromEntries(entered), request, session.merchant.config.names);
  // Answers can make further fields necessary, so it is asked with and without them.
  const known = new Map<string, FieldState>();
  for (const payer of [{}, answers])
    for (const field of missing(context, session, route, payer)) known.set(field.path, field);
  if (known.has(COUNTRY))
    for (const state of stateOfAnyCountry(context, session, route, answers)) known.set(STATE, state);
  return [...known.values()].map((field) => {
    const asked = fieldOf(field, request.billing_address?.country, answers);
    const { options } = asked;
    return options === undefined ? asked : { ...asked, options: offered(context, session, route, asked, answers) };
  });
}

/** The options that no rule of the method refuses for this order: a network of Kenya is none of an order in cedis. */
function offered(
  context: PageDeps,
  session: OpenSession,
  route: Route,
  { name, options = [] }: PageField,
  { [name]: _chosen, ...others }: Answers,
): NonNullable<PageField['options']> {
  // With the other answers, because some fields exist by them alone.
  const fitting = options.filter(({ value }) => {
    const resolution = resolved(context, session, route, { ...others, [name]: value });
    return resolution.kind !== 'invalid' || resolution.issues.every(({ path }) => path !== name);
  });
  // Where none fits, another answer is at fault, and its own problem says so.
  return fitting.length === 0 ? options : fitting;
}

/** The fields of a method that are still missing with these answers. */
function missing(context: PageDeps, session: OpenSession, route: Route, payer: Answers): readonly FieldState[] {
  const resolution = resolved(context, session, route, payer);
  return resolution.kind === 'missing' ? resolution.fields : [];
}

function resolved(context: PageDeps, session: OpenSession, route: Route, payer: Answers): Resolution {
  const { registry } = context.directory;
  const read = withNumbers(registry, session.merchant.profile, session.request, route.key, payer);
  return resolveMethod(registry, read.request, route.key, {
    mid: route.mid.defaults[route.method.key] ?? {},
    payer: read.answers,
    profiles: session.merchant.profile,
    profile: requiredIn(route.profile, read.request.billing_address?.country ?? read.answers[COUNTRY]),
  });
}

/** A country that the payer chooses may have states: the page offers them all, so that the form need not be sent twice. */
function stateOfAnyCountry(
  context: PageDeps,
  session: OpenSession,
  route: Route,
  { [STATE]: _left, ...answers }: Answers,
): readonly FieldState[] {
  const [some = ''] = countriesWithStates;
  return missing(context, session, route, { ...answers, [COUNTRY]: some }).filter(({ path }) => path === STATE);
}

function fieldOf({ path, info, required, schema }: FieldState, sent: string | undefined, answers: Answers): PageField {
  const options = info.input === undefined || info.input === 'select' ? choicesOf(schema) : undefined;
  return {
    name: path,
    label: info.label,
    input: info.input ?? (path === COUNTRY ? 'country' : 'text'),
    required,
    ...(info.secret === true && { secret: true }),
    ...(info.help !== undefined && { help: info.help }),
    ...(info.example !== undefined && { example: info.example }),
    ...(info.autocomplete !== undefined && { autocomplete: info.autocomplete }),
    ...(options && { input: 'select', options }),
    ...(path === COUNTRY && answers[COUNTRY] !== undefined && { value: answers[COUNTRY] }),
    ...(path === STATE && stateChoice(sent, answers)),
    ...(path === POSTCODE && sent === undefined && { mayBeEmpty: true as const }),
  };
}

/** The states of the request's country. If the payer chooses the country, the states of all; only some payers need one. */
function stateChoice(sent: string | undefined, answers: Answers): Partial<PageField> {
  const { [COUNTRY]: country = sent, [STATE]: value } = answers;
  return {
    input: 'state',
    required: sent !== undefined,
    states: { of: sent === undefined ? [...countriesWithStates] : [sent], ...(country !== undefined && { country }) },
    ...(value !== undefined && { value }),
  };
}

/**
 * The payment that waits while its payer pays another way. It can still be paid, so the page says what becomes of money that comes twice.
 *
 * @returns undefined where no other payment may begin beside it
 */
export function besideOf(
  context: PageDeps,
  { session, payment }: Pick<LoadedSession, 'session' | 'payment'>,
): PageBeside | undefined {
  if (payment === undefined || session.stored.state !== 'open' || session.stored.expiresAt.getTime() <= context.now())
    return undefined;
  const waits = session.routes.find(({ key }) => key === payment.methodAlias);
  if (waits === undefined || session.routes.length < 2 || !isWaitingForPayer(payment)) return undefined;
  const comesBack =
    session.merchant.config.paidTwice === 'give-back' &&
    session.routes.every(({ mid, method }) => canGiveBack(context, { midId: mid.id, method: method.key }));
  const ends = isWithdrawable(context, payment) ? 'withdrawn' : comesBack ? 'given-back' : 'twice';
  return { waits: methodOf(waits), ends };
}

const canGiveBack = (context: PageDeps, account: Pick<Payment, 'midId' | 'method'>): boolean =>
  isSupported(context, account, 'void') || isSupported(context, account, 'refund');

/** The card's part of the form before a payment; `undefined` for methods that take no card. */
export function cardState(
  context: PageDeps,
  route: Route,
  { session, savedCards, chosenCard, entered }: PageFacts,
): { readonly form: CardForm; readonly fields: readonly PageField[] } | undefined {
  const requirements = cardRequirements(context, session, route, savedCards, chosenCard);
  if (requirements === undefined) return undefined;
  const { saved, taken, coBrands, oneWordName } = requirements;
  const others = savedAt(context, session, [route], savedCards)
    .filter(({ key }) => key !== saved?.key)
    .map(choiceOf);
  const holder = entered?.get('card.name') ?? session.request.customer?.name ?? '';
  const brand = entered?.get('card.brand') || saved?.brand;
  const fields = cardPageFields(requirements).map((field) => {
    if (field.name === 'card.brand' && brand !== undefined) return { ...field, value: brand };
    return field.name === 'card.name' && holder.length <= NAME_LENGTH ? { ...field, value: holder } : field;
  });
  const form: CardForm = {
    taken,
    ...(saved === undefined && coBrands.length > 0 && { coBrands }),
    ...(saved && { saved: choiceOf(saved), brand: saved.brand }),
    ...(oneWordName && { oneWordName }),
    others: saved === undefined ? others : [...others, NEW_CARD],
  };
  return { form, fields };
}

/** The inputs of the card form, as a page shows them. */
export const cardPageFields = (requirements: CardRequirements): PageField[] =>
  cardInputs(requirements).map(({ path, info }) => ({
    name: path,
    label: info.label,
    input: info.input ?? 'text',
    required: path !== 'card.brand',
    ...(path === 'card.brand' && { options: brandOptions(requirements) }),
    ...(path === 'card.cvv' && mayLackCode(requirements) && { mayBeEmpty: true as const }),
    ...(info.help !== undefined && { help: info.help }),
    ...(info.autocomplete !== undefined && { autocomplete: info.autocomplete }),
  }));

/** Whether a card that is taken may have no code: which one it is, its number says. */
const mayLackCode = ({ saved, taken }: Pick<CardRequirements, 'saved' | 'taken'>): boolean =>
  BRANDS.some(
    ({ name, withoutCode }) => withoutCode && (saved === undefined ? taken.includes(name) : saved.brand === name),
  );

const titleOf = (brand: string): string => BRANDS.find(({ name }) => name === brand)?.title ?? brand;

/** Every network among which a payer may have to choose. */
const brandOptions = ({ coBrands }: CardRequirements) =>
  [...new Set(coBrands.flatMap(({ brands }) => (brands.length > 1 ? brands : [])))].map((value) => ({
    value,
    label: titleOf(value),
  }));

const NEW_CARD: SavedCardChoice = { key: 'new' };

export function choiceOf({ key, brand, kept: { lastFour, expiryMonth, expiryYear } }: SavedCard): SavedCardChoice {
  return { key, card: { title: titleOf(brand), lastFour, expires: `${expiryMonth}/${expiryYear}` } };
}

/** The known facts of a session when its page is rendered. */
export interface PageFacts {
  readonly session: OpenSession;
  /** The attempt that the payer sees. */
  readonly payment: Payment | undefined;
  /** Every attempt, newest first. */
  readonly attempts: readonly Payment[];
  readonly runs: readonly FlowRun[];
  /** The method that the payer chose, and the entries. */
  readonly chosen?: string | undefined;
  /** The key of the saved card that the payer chose, or `new`. */
  readonly chosenCard?: string | undefined;
  readonly savedCards: readonly SavedCard[];
  readonly entered?: ReadonlyMap<string, string>;
  /** `true`: the amount among it is as the payer typed it; otherwise the page wrote it, in the protocol's format. */
  readonly amountTyped?: boolean;
  /** `true`: the payer wants to say another amount. */
  readonly changesAmount?: boolean;
  /** Field name → why it was refused. */
  readonly problems?: ReadonlyMap<string, PayerText>;
  /** How the payer writes numbers, as a BCP 47 tag. Default: English. */
  readonly locale?: string;
  /** The terms of the schedule that the payer is asked to agree to. */
  readonly terms?: ScheduleTerms | undefined;
  /** `true`: the payer asked for another attempt. */
  readonly again: boolean;
  /** The method that the payer used while another attempt was under way. */
  readonly unpaid?: string | undefined;
  /** `true`: the payer wanted to leave an attempt that may still bring money. */
  readonly leaving?: boolean;
  /** `true`: the payer reads the receipt of a payment. */
  readonly stays?: boolean;
  /** When the payment succeeded. */
  readonly paidAt?: Date | undefined;
}

/** A payment that may still bring money: it is never shown as failed. */
export function underWay(
  context: PageDeps,
  facts: PageFacts,
  payment: Payment,
  fieldsOf: (fields: readonly PageField[]) => PageField[],
): PageState {
  const { session } = facts;
  const leave = continuing(session.request.cancel_url, session, payment);
  const show = payment.unknown ? undefined : storedShow(payment.show);
  const over = timeIsUp(context, session);
  if (facts.leaving === true && !over)
    return { kind: 'leaving', ...leave, ...(show && openUntil(show, session.stored.expiresAt)) };
  // Money came that is not the amount: the payer is asked for nothing more.
  if (payment.state === 'partially_approved' || (payment.asideText !== null && payment.show === null))
    return { kind: 'checking', ...leave };
  const nextAction = facts.runs
    .map((run) => (run.state === 'suspended' ? storedNextAction(context.sealer, run) : undefined))
    .find((each) => each !== undefined);
  if (nextAction?.kind === 'visit') return { kind: 'visit', nextAction };
  if (nextAction !== undefined) return { kind: 'next-action', nextAction, fields: fieldsOf(nextAction.fields) };
  if (show === undefined) return { kind: 'checking', ...leave };
  const received = payment.received === null ? {} : { received: amountOf(payment.received) };
  const { validUntil } = show;
  if (over)
    return {
      kind: 'expired',
      ...continuing(session.request.expiry_url, session, payment),
      ...received,
      mayArrive: show.kind === 'address' ? 'deposit' : 'payment',
      ...(PAID_ELSEWHERE.has(show.kind) &&
        validUntil !== undefined &&
        Date.parse(validUntil) > context.now() && { payable: { ...show, validUntil } }),
    };
  const failed = lastFailure(facts);
  const outlives = openUntil(show, session.stored.expiresAt).outlives === true;
  return {
    kind: 'show',
    show,
    ...(outlives && { outlives }),
    renewable: isRenewable(context, payment),
    ...received,
    ...insteadOf(facts, payment),
    ...(failed && { failed }),
  };
}

/** The payer paid by another method, for example in another tab, while this one waits: nothing was sent for it. */
function insteadOf({ session, unpaid }: PageFacts, { methodAlias }: Payment) {
  const used = session.routes.find(({ key }) => key === unpaid);
  const waits = session.routes.find(({ key }) => key === methodAlias);
  if (used === undefined || waits === undefined || used === waits) return {};
  return { instead: { used: methodOf(used), waits: methodOf(waits) } };
}

export const amountOf = ({ text, currency }: PageAmount): PageAmount => ({ text, currency });

/** Until when the payment can be made, and whether no other can be begun here afterwards. */
function openUntil({ validUntil }: Show, end: Date): { readonly validUntil?: string; readonly outlives?: true } {
  if (validUntil === undefined) return {};
  return { validUntil, ...(Date.parse(validUntil) >= end.getTime() && { outlives: true }) };
}

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

type Success = Extract<PageState, { kind: 'success' }>;

/** The state of the payment as the page shows it. */
export function pageState(context: PageDeps, facts: PageFacts): PageState {
  const { session, payment } = facts;
  if (payment === undefined) return withoutAttempt(context, facts);
  switch (payment.state) {
    case 'settled':
    case 'authorized':
      return {
        kind: 'success',
        continueUrl: returnUrl(session.request.success_url, session, payment),
        ...paidMore(session, payment),
        ...receiptOf(facts, payment),
      };
    case 'declined':
    case 'expired':
      return mayTry(facts) && (facts.again || isStopped(payment))
        ? beforePaying(context, facts)
        : afterAttempt(context, facts, payment);
    case 'voided':
    case 'refunded':
    case 'reversed':
    case 'charged_back':
      return { kind: 'given-back', ...continuing(session.request.success_url, session, payment) };
    default:
      if (facts.again && besideOf(context, facts) !== undefined) return beforePaying(context, facts);
      return underWay(context, facts, payment, (fields) => fields.map((field) => withProblem(field, facts)));
  }
}

/** Whether a payment can be begun. The page has ended a session whose time is over before it asks. */
const mayTry = ({ session }: PageFacts): boolean => session.stored.state === 'open';

function withoutAttempt(context: PageDeps, facts: PageFacts): PageState {
  const { session } = facts;
  const { cancel_url, expiry_url, error_url } = session.request;
  if (session.stored.state === 'cancelled') return { kind: 'cancelled', ...continuing(cancel_url, session, undefined) };
  if (!mayTry(facts)) return { kind: 'expired', ...continuing(expiry_url, session, undefined) };
  // The merchant has lost the methods that the session was accepted with.
  if (session.routes.length === 0) return { kind: 'error', ...continuing(error_url, session, undefined) };
  return beforePaying(context, facts);
}

function receiptOf({ session, paidAt, stays }: PageFacts, payment: Payment): Pick<Success, 'receipt' | 'stays'> {
  if (paidAt === undefined) return {};
  const { cardBrand, methodAlias, id: reference } = payment;
  const route = session.routes.find(({ key }) => key === methodAlias);
  return {
    receipt: {
      paidAt: paidAt.toISOString(),
      ...(route && { method: route.names.title }),
      ...(cardBrand !== null && { brand: titleOf(cardBrand) }),
      reference,
    },
    ...(stays === true && { stays }),
  };
}

/** Deposits may come to more than was asked for. */
function paidMore({ request: { amount } }: OpenSession, { received }: Payment): { received?: PageAmount } {
  if (amount === 'payer' || received === null || received.currency !== amount.currency) return {};
  return received.minor > amount.minor ? { received: amountOf(received) } : {};
}

/** A method that waits for the payer is not begun again. */
const toChooseFrom = ({ session, payment }: PageFacts): readonly Route[] =>
  payment === undefined || isFailed(payment)
    ? session.routes
    : session.routes.filter(({ key }) => key !== payment.methodAlias);

function beforePaying(context: PageDeps, facts: PageFacts): PageState {
  const routes = toChooseFrom(facts);
  const route = routes.find((each) => each.key === facts.chosen) ?? (routes.length === 1 ? routes[0] : undefined);
  const failed = lastFailure(facts);
  if (route === undefined)
    return { kind: 'choose', methods: rowsOf(context, facts, routes), ...(failed && { failed }) };
  const step = amountStep(context, route, facts);
  if (step.kind === 'asked') {
    const { field } = step;
    const methods = rowsOf(context, facts, routes);
    return { kind: 'amount', method: methodOf(route), methods, field, again: facts.again, ...(failed && { failed }) };
  }
  return askOf(context, route, { ...facts, session: step.session }, step.amount);
}

/** The inputs of a method's form before the payment begins. */
function inputsOf(context: PageDeps, route: Route, facts: PageFacts) {
  const { session } = facts;
  const card = cardState(context, route, facts);
  const wallet = walletState(session, route);
  const asked = askedFields(context, session, route, facts.entered).filter(
    // The name on the card is the payer's (protocol: customer.name); nothing is asked twice.
    ({ name }) => !(name === 'customer.name' && card?.fields.some((field) => field.name === 'card.name')),
  );
  return { card, wallet, fields: [...(card?.fields ?? []), ...asked], consent: consentOf(facts) };
}

function askOf(context: PageDeps, route: Route, facts: PageFacts, amount: PageAmount | undefined): PageState {
  const { card, wallet, fields, consent } = inputsOf(context, route, facts);
  const failed = lastFailure(facts);
  const shown = new Set([WALLET_TOKEN, ...fields.map(({ name }) => name)]);
  const [problem] = [...(facts.problems ?? [])].flatMap(([name, text]) => (shown.has(name) ? [] : [text]));
  return {
    kind: 'ask',
    ...(amount && { amount }),
    method: methodOf(route),
    fields: fields.map((field) => withProblem(field, facts)),
    ...(card && { card: card.form }),
    ...(wallet && { wallet: withRefusal(wallet, facts) }),
    ...(consent && { consent }),
    ...(problem !== undefined && { problem }),
    ...(failed && { failed }),
    methods: rowsOf(context, facts, toChooseFrom(facts)),
  };
}

/** The later payments that the payer is asked to agree to. */
function consentOf({ session: { request }, terms, entered }: PageFacts): PageConsent | undefined {
  const text = request.payment_schedule_amount ?? request.order.amount;
  if (terms === undefined || text === undefined) return undefined;
  return {
    amount: { text, currency: request.order.currency },
    interval: { length: terms.interval_length, unit: terms.interval_unit },
    count: terms.payments_count,
    given: entered?.get(CONSENT_FIELD) === 'true',
  };
}

/** Why the token was not taken stands above the button. */
const withRefusal = (wallet: WalletForm, { problems }: PageFacts): WalletForm => ({
  ...wallet,
  problem: problems?.get(WALLET_TOKEN) ?? wallet.problem,
});

function withProblem(field: PageField, facts: PageFacts): PageField {
  const value = field.secret === true ? undefined : (field.value ?? facts.entered?.get(field.name));
  const problem = facts.problems?.get(field.name);
  return { ...field, ...(value !== undefined && { value }), ...(problem !== undefined && { problem }) };
}
