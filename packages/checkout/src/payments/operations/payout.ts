import { TEXTS } from '@railyard/core';
import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import type { Merchant, Route } from '../../merchants/directory.ts';
import { brandOf, digitsOf, numberProblem } from '../../rules/browser/card-rules.js';
import type { OperationDeps } from './deps.ts';
import { type OpenSession, usableRoutes } from '../../sessions/open-session.ts';
import type { CardEntry, PlainCard, SavedCard } from '../../cards/index.ts';
import { beginDurably, type Payment, type StartedPayment } from '../../storage/index.ts';
import { type Attempt, storeAttempt } from './start-payment.ts';
import { executeStored, logUnclear } from './execute-stored.ts';
import { takenBy } from '../../cards/card-requirements.ts';
import { CARD_TEXTS } from '../../cards/card-texts.ts';
import { openSaved } from '../../cards/paid-with.ts';
import { executeStarted, type RunResult } from '../runs/execute-run.ts';
import { resolveFor } from '../attempt/resolve-for.ts';
import { runInput } from '../state/run-input.ts';

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
  const card = plainCard(context, payout, request.payee?.name ?? '');
  const route = routes.find((each) => takenBy(each).includes(card.brand));
  if (route === undefined) return refused('card_token', TEXTS.choice);
  const entry: CardEntry = { card, cvv: undefined };
  // A payee of whom no name was sent has none, not an empty one.
  const resolved = resolveFor(context, { request, merchant }, route, { answers: {} }, card.holder || undefined);
  if (resolved.value === undefined || resolved.issues.length > 0) return { ok: false, issues: resolved.issues };
  return { ok: true, route, attempt: { input: runInput(resolved.value), entry, saved: payout.saved } };
}

function plainCard(context: OperationDeps, { number, saved }: CardPayout, holder: string): PlainCard {
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
  storedDurably(context, session, () => storeAttempt(context, session, route, { ip }, attempt));

/** The first payment of a session, once it is stored; also where the database's answer to that was lost. */
export function storedDurably(
  context: OperationDeps,
  session: OpenSession,
  store: () => Promise<StartedPayment | undefined>,
): Promise<StoredPayout | undefined> {
  const { id } = session.stored;
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
