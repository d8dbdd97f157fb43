import { type FieldState, resolveMethod } from '@railyard/core';
import type { Turn } from '@railyard/runtime';
import type { Route } from '../config/directory.ts';
import { isRenewable } from '../payments/renewable.ts';
import type { ServiceContext } from '../service-context.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import { AMOUNT_FIELD, payerSaysAmount } from '../sessions/payer-amount.ts';
import { returnUrl } from '../sessions/return-url.ts';
import { type FlowRun, type Payment } from '../storage/index.ts';
import type { SavedCard } from '../vault/index.ts';
import { cardState } from './card-state.ts';
import { walletState } from './wallet-state.ts';
import { storedShow, storedTurn } from './stored-views.ts';
import { WALLET_TOKEN } from '../payments/wallet-attempt.ts';
import type { PageAmount, PageField, PageMethod, PageState, WalletForm } from './model.ts';

/** What is known of a session when its page is rendered. */
export interface PageFacts {
  readonly session: OpenSession;
  /** The newest attempt. */
  readonly payment: Payment | undefined;
  readonly runs: readonly FlowRun[];
  /** The method that the payer chose, and what was entered. */
  readonly chosen?: string | undefined;
  /** The key of the saved card that the payer chose, or `new`. */
  readonly chosenCard?: string | undefined;
  readonly savedCards: readonly SavedCard[];
  readonly entered?: ReadonlyMap<string, string>;
  /** Field name → why it was refused. */
  readonly problems?: ReadonlyMap<string, string>;
  /** `true`: the payer asked for another attempt. */
  readonly again: boolean;
}

/** Where the payment stands, as the payer is told. */
export function pageState(context: ServiceContext, facts: PageFacts): PageState {
  const { session, payment } = facts;
  const over = session.stored.expiresAt.getTime() <= context.now();
  if (payment !== undefined && (payment.state === 'settled' || payment.state === 'authorized'))
    return {
      kind: 'success',
      continueUrl: returnUrl(session.request.success_url, session, payment),
      ...paidMore(session, payment),
    };
  if (payment !== undefined && payment.state !== 'declined') return underWay(context, facts, payment, over);
  if (session.stored.state === 'cancelled' && payment === undefined)
    return { kind: 'cancelled', ...continuing(session.request.cancel_url, session, undefined) };
  const mayTry = session.stored.state === 'open' && !over;
  if (payment !== undefined && ranOut(session, payment))
    return { kind: 'expired', ...continuing(session.request.expiry_url, session, undefined) };
  if (payment !== undefined && !(facts.again && mayTry))
    return {
      kind: 'declined',
      reason: payment.reason ?? '',
      mayRetry: mayTry,
      ...(mayTry && { attemptsLeft: session.merchant.config.maxDeclines - payment.payerTry }),
      usedUp: payment.payerTry >= session.merchant.config.maxDeclines,
      ...continuing(session.request.cancel_url, session, payment),
    };
  if (!mayTry) return { kind: 'expired', ...continuing(session.request.expiry_url, session, undefined) };
  return beforePaying(context, facts);
}

/** A code that expired with its session was not refused: the payer was too late, and is told so as before the provider said it. */
function ranOut({ stored }: OpenSession, { state, declineKind, updatedAt }: Payment): boolean {
  return state === 'declined' && declineKind === 'soft' && updatedAt.getTime() >= stored.expiresAt.getTime();
}

function continuing(
  url: string | undefined,
  session: OpenSession,
  payment: Payment | undefined,
): { continueUrl?: string } {
  return url === undefined ? {} : { continueUrl: returnUrl(url, session, payment) };
}

/** A payment that may still bring money: it is never shown as failed. */
function underWay(context: ServiceContext, facts: PageFacts, payment: Payment, over: boolean): PageState {
  // Money came that is not the amount: the payer is asked for nothing more.
  if (payment.state === 'partially_approved' || (payment.asideText !== null && payment.show === null))
    return { kind: 'checking' };
  const turn = facts.runs
    .map((run) => (run.state === 'suspended' ? storedTurn(context.sealer, run) : undefined))
    .find((each) => each !== undefined);
  if (turn?.kind === 'visit') return { kind: 'visit', turn };
  if (turn !== undefined) return { kind: 'turn', turn, fields: turnFields(turn, facts) };
  const show = payment.unknown ? undefined : storedShow(payment.show);
  if (show === undefined) return { kind: 'checking' };
  const received = payment.received === null ? {} : { received: amountOf(payment.received) };
  if (over)
    return {
      kind: 'expired',
      ...continuing(facts.session.request.expiry_url, facts.session, undefined),
      ...received,
      ...(show.kind === 'address' && { mayArrive: true }),
    };
  return { kind: 'show', show, renewable: isRenewable(context, payment), ...received };
}

const amountOf = ({ text, currency }: PageAmount): PageAmount => ({ text, currency });

/** Deposits may come to more than was asked for. */
function paidMore({ request: { amount } }: OpenSession, { received }: Payment): { received?: PageAmount } {
  if (amount === 'payer' || received === null || received.currency !== amount.currency) return {};
  return received.minor > amount.minor ? { received: amountOf(received) } : {};
}

function turnFields(turn: Extract<Turn, { kind: 'collect' }>, facts: PageFacts): PageField[] {
  return turn.fields.map((field) => withProblem(field, facts));
}

function beforePaying(context: ServiceContext, facts: PageFacts): PageState {
  const { session } = facts;
  const route =
    session.routes.find((each) => each.key === facts.chosen) ??
    (session.routes.length === 1 ? session.routes[0] : undefined);
  if (route === undefined) return { kind: 'choose', methods: session.routes.map(methodOf) };
  const card = cardState(context, route, facts);
  const wallet = walletState(session, route);
  const asked = fieldsToAsk(context, session, route, facts.entered).filter(
    // The name on the card is the payer's (protocol: customer.name); nothing is asked twice.
    ({ path }) => !(path === 'customer.name' && card?.fields.some((field) => field.name === 'card.name')),
  );
  const fields = [...amountField(session), ...(card?.fields ?? []), ...asked.map(fieldOf)];
  return {
    kind: 'ask',
    method: methodOf(route),
    fields: fields.map((field) => withProblem(field, facts)),
    ...(card && { card: card.form }),
    ...(wallet && { wallet: withRefusal(wallet, facts) }),
    others: session.routes.filter((each) => each !== route).map(methodOf),
  };
}

/** Why the token was not taken stands above the button. */
const withRefusal = (wallet: WalletForm, { problems }: PageFacts): WalletForm => ({
  ...wallet,
  problem: problems?.get(WALLET_TOKEN) ?? wallet.problem,
});

/** How much, where the payer says it; the request's amount stands in the field. */
function amountField({ request }: OpenSession): PageField[] {
  if (!payerSaysAmount(request)) return [];
  const { amount, order } = request;
  const value = amount === 'payer' ? {} : { value: amount.text };
  return [{ name: AMOUNT_FIELD, label: 'Amount', help: order.currency, input: 'amount', required: true, ...value }];
}

/** The fields that nobody has given, and those that the payer entered and may correct. */
export function fieldsToAsk(
  context: ServiceContext,
  session: OpenSession,
  route: Route,
  entered?: ReadonlyMap<string, string>,
): readonly FieldState[] {
  const profiles = session.merchant.profile;
  const mid = route.mid.defaults[route.method.key] ?? {};
  const known = new Map<string, FieldState>();
  // Answers can make further fields necessary, so it is asked with and without them.
  for (const payer of [{}, Object.fromEntries(entered ?? [])]) {
    const resolution = resolveMethod(context.directory.registry, session.request, route.key, {
      mid,
      payer,
      profiles,
      profile: route.profile,
    });
    if (resolution.kind === 'missing') for (const field of resolution.fields) known.set(field.path, field);
  }
  return [...known.values()];
}

const methodOf = (route: Route): PageMethod => ({ key: route.key, title: route.method.title });

function fieldOf({ path, info, required }: FieldState): PageField {
  return {
    name: path,
    label: info.label,
    input: info.input ?? 'text',
    required,
    ...(info.help !== undefined && { help: info.help }),
    ...(info.autocomplete !== undefined && { autocomplete: info.autocomplete }),
  };
}

function withProblem(field: PageField, facts: PageFacts): PageField {
  const value = facts.entered?.get(field.name);
  const problem = facts.problems?.get(field.name);
  return { ...field, ...(value !== undefined && { value }), ...(problem !== undefined && { problem }) };
}
