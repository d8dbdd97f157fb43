import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import type { Merchant } from '../../merchants/directory.ts';
import { ALL_BRANDS, brandOf, cvvProblem, expiryProblem, numberProblem } from '../../rules/browser/card-rules.js';
import type { OperationDeps } from './deps.ts';
import { usableRoutes } from '../../sessions/open-session.ts';
import type { PlainCard, SavedCard } from '../../cards/index.ts';
import { payeeOf } from '../../cards/card-entry.ts';
import { takenBy, takesCard } from '../../cards/card-requirements.ts';
import { CARD_TEXTS } from '../../cards/card-texts.ts';
import { openSaved } from '../../cards/paid-with.ts';
import { resolveFor } from '../attempt/resolve-for.ts';
import { runInput } from '../state/run-input.ts';
import type { PreparedPayout } from './payout.ts';

/** The card that a merchant's server pays with: as it was sent, or a saved one. */
export interface GivenCard {
  readonly card: Pick<PlainCard, 'number' | 'expiryMonth' | 'expiryYear'> | SavedCard;
  readonly cvv: string | undefined;
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
  const routes = usableRoutes(context, merchant, request).filter((each) =>
    takesCard(context, { request, merchant }, each),
  );
  if (routes.length === 0) return { ok: false, why: 'no-account' };
  const { card, saved } = plainCard(context, given);
  if (saved !== undefined && isExpired(context, card)) return { ok: false, why: 'token-expired' };
  const payee = given.payee === undefined ? undefined : payeeOf(given.payee);
  const wrong = [...cardIssues(context, card, given.cvv), ...payeeIssues(payee)];
  if (wrong.length > 0) return { ok: false, issues: wrong };
  const route = routes.find((each) => takenBy(each).includes(card.brand));
  if (route === undefined) return { ok: false, why: 'brand' };
  // A payer of whom no name was sent has none, not an empty one.
  const { value, issues } = resolveFor(
    context,
    { request, merchant },
    route,
    { answers: {} },
    card.holder || undefined,
  );
  if (value === undefined || issues.length > 0) return { ok: false, issues };
  const input = runInput(value, given.cvv === undefined ? { withoutCode: true } : {});
  return { ok: true, route, attempt: { input, entry: { card, cvv: given.cvv, ...(payee && { payee }) }, saved } };
}

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
  const problems = {
    card_number: brand === '' ? undefined : numberProblem(number, [brand]),
    card_exp_year: expiryProblem(`${expiryMonth}/${expiryYear}`, now()),
    card_cvv2: cvv === undefined ? undefined : cvvProblem(cvv, brand),
  };
  return Object.entries(problems).flatMap(([path, problem]) =>
    problem === undefined ? [] : [issue(path, CARD_TEXTS[problem])],
  );
}
