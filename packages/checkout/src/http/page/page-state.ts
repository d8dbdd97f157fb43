import type { PageFacts } from './page-facts.ts';
import type { Route } from '../../merchants/directory.ts';
import type { PageDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import { returnUrl } from '../../sessions/return-url.ts';
import type { Payment } from '../../storage/index.ts';
import { WALLET_TOKEN } from '../../cards/wallet-attempt.ts';
import { amountStep } from './amount-step.ts';
import { askedFields } from './asked-fields.ts';
import { isFailed } from '../../payments/operations/status-body.ts';
import { afterAttempt, isStopped, lastFailure, methodOf } from './after-attempt.ts';
import { besideOf } from './beside.ts';
import { cardState } from './card-state.ts';
import { continuing } from './continuing.ts';
import { CONSENT_FIELD } from '../../sessions/payer-consent.ts';
import type { PageAmount, PageConsent, PageField, PageState, WalletForm } from '../../page/model.ts';
import { amountOf, underWay } from './under-way.ts';
import { walletState } from './wallet-state.ts';

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
  if (route === undefined) return { kind: 'choose', methods: routes.map(methodOf), ...(failed && { failed }) };
  const step = amountStep(context, route, facts);
  if (step.kind === 'asked') {
    const { field } = step;
    return { kind: 'amount', method: methodOf(route), field, again: facts.again, ...(failed && { failed }) };
  }
  return askOf(context, route, { ...facts, session: step.session }, step.amount);
}

function askOf(context: PageDeps, route: Route, facts: PageFacts, amount: PageAmount | undefined): PageState {
  const { session } = facts;
  const failed = lastFailure(facts);
  const card = cardState(context, route, facts);
  const wallet = walletState(session, route);
  const asked = askedFields(context, session, route, facts.entered).filter(
    // The name on the card is the payer's (protocol: customer.name); nothing is asked twice.
    ({ name }) => !(name === 'customer.name' && card?.fields.some((field) => field.name === 'card.name')),
  );
  const fields = [...(card?.fields ?? []), ...asked];
  const consent = consentOf(facts);
  return {
    kind: 'ask',
    ...(amount && { amount }),
    method: methodOf(route),
    fields: fields.map((field) => withProblem(field, facts)),
    ...(card && { card: card.form }),
    ...(wallet && { wallet: withRefusal(wallet, facts) }),
    ...(consent && { consent }),
    ...(failed && { failed }),
    others: toChooseFrom(facts)
      .filter((each) => each !== route)
      .map(methodOf),
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
