import { TEXTS } from '@railyard/core';
import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import type { Merchant, Route } from '../../merchants/directory.ts';
import { brandOf, digitsOf, numberProblem } from '../../rules/browser/card-rules.js';
import type { OperationDeps } from './deps.ts';
import { type OpenSession, usableRoutes } from '../../sessions/open-session.ts';
import type { CardEntry, PlainCard, SavedCard } from '../../cards/index.ts';
import { type Attempt, storeAttempt } from './begin.ts';
import { takenBy } from '../../cards/card-asked.ts';
import { openSaved } from '../../cards/paid-with.ts';
import { resolveFor } from '../attempt/resolve-for.ts';
import { runInput } from '../attempt/run-of.ts';

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
  if (problem !== undefined) return refused('card_number', problem);
  const card = plainCard(context, payout, request.payee?.name ?? '');
  const route = routes.find((each) => takenBy(each).includes(card.brand));
  if (route === undefined) return refused('card_token', TEXTS.choice);
  const entry: CardEntry = { card, cvv: undefined };
  const resolved = resolveFor(context, { request, merchant }, route, { answers: {} }, card.holder);
  if (resolved.value === undefined || resolved.issues.length > 0) return { ok: false, issues: resolved.issues };
  return { ok: true, route, attempt: { input: runInput(resolved.value), entry, saved: payout.saved } };
}

function plainCard(context: OperationDeps, { number, saved }: CardPayout, holder: string): PlainCard {
  if (saved !== undefined) return openSaved(context, saved);
  const digits = digitsOf(number);
  return { number: digits, brand: brandOf(digits)?.name ?? '', holder };
}

/** Begins the payout. Once it is stored it takes place, whatever goes wrong here: an error would have the merchant ask again. */
export async function payOut(
  context: OperationDeps,
  session: OpenSession,
  { route, attempt }: PreparedPayout,
  ip: string | undefined,
): Promise<void> {
  const { id } = session.stored;
  try {
    await storeAttempt(context, session, route, { ip }, attempt);
  } catch (error) {
    if ((await context.stores.payments.find(id).catch(() => undefined)) === undefined) throw error;
    const why = error instanceof Error ? error.message : 'unknown';
    context.log.error({ event: 'charge-unclear', payment: id, error: why });
  }
}
