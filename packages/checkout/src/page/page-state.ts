import { type FieldState, resolveMethod } from '@railyard/core';
import type { Route } from '../config/directory.ts';
import type { ServiceContext } from '../service-context.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import { AMOUNT_FIELD, payerSaysAmount } from '../sessions/payer-amount.ts';
import { returnUrl } from '../sessions/return-url.ts';
import type { FlowRun, Payment } from '../storage/index.ts';
import type { SavedCard } from '../vault/index.ts';
import { TURNED_BACK } from '../payments/turn-back.ts';
import { WALLET_TOKEN } from '../payments/wallet-attempt.ts';
import { afterAttempt, failureOf, methodOf } from './after-attempt.ts';
import { cardState } from './card-state.ts';
import { continuing } from './continuing.ts';
import type { PageAmount, PageField, PageState, WalletForm } from './model.ts';
import { amountOf, underWay } from './under-way.ts';
import { walletState } from './wallet-state.ts';

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
  /** `true`: the payer wanted to leave an attempt that may still bring money. */
  readonly leaving?: boolean;
}

/** Where the payment stands, as the payer is told. */
export function pageState(context: ServiceContext, facts: PageFacts): PageState {
  const { session, payment } = facts;
  if (payment === undefined) return withoutAttempt(context, facts);
  switch (payment.state) {
    case 'settled':
    case 'authorized':
      return {
        kind: 'success',
        continueUrl: returnUrl(session.request.success_url, session, payment),
        ...paidMore(session, payment),
      };
    case 'declined':
    case 'expired':
      return mayTry(facts) && (facts.again || payment.reason === TURNED_BACK)
        ? beforePaying(context, facts)
        : afterAttempt(context, facts, payment);
    case 'voided':
    case 'refunded':
    case 'reversed':
    case 'charged_back':
      return { kind: 'given-back', ...continuing(session.request.success_url, session, payment) };
    default:
      return underWay(context, facts, payment, (fields) => fields.map((field) => withProblem(field, facts)));
  }
}

/** Whether a payment can be begun. The page has ended a session whose time is over before it asks. */
const mayTry = ({ session }: PageFacts): boolean => session.stored.state === 'open';

function withoutAttempt(context: ServiceContext, facts: PageFacts): PageState {
  const { session } = facts;
  const { cancel_url, expiry_url, error_url } = session.request;
  if (session.stored.state === 'cancelled') return { kind: 'cancelled', ...continuing(cancel_url, session, undefined) };
  if (!mayTry(facts)) return { kind: 'expired', ...continuing(expiry_url, session, undefined) };
  // The merchant has lost the methods that the session was accepted with.
  if (session.routes.length === 0) return { kind: 'error', ...continuing(error_url, session, undefined) };
  return beforePaying(context, facts);
}

/** Deposits may come to more than was asked for. */
function paidMore({ request: { amount } }: OpenSession, { received }: Payment): { received?: PageAmount } {
  if (amount === 'payer' || received === null || received.currency !== amount.currency) return {};
  return received.minor > amount.minor ? { received: amountOf(received) } : {};
}

function beforePaying(context: ServiceContext, facts: PageFacts): PageState {
  const { session } = facts;
  const route =
    session.routes.find((each) => each.key === facts.chosen) ??
    (session.routes.length === 1 ? session.routes[0] : undefined);
  const failed = facts.payment && failureOf(session, facts.payment);
  if (route === undefined) return { kind: 'choose', methods: session.routes.map(methodOf), ...(failed && { failed }) };
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
    ...(failed && { failed }),
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
