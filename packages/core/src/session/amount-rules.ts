import { type Issue, issue } from '../issues/issue.ts';
import { TEXTS } from '../issues/texts.ts';
import type { Operation } from '../method/operation.ts';
import { currency as findCurrency } from '../money/currencies.ts';
import { formatDecimals, type Money, type MoneyProblem, parseMoney } from '../money/money.ts';
import { isZero } from '../money/arithmetic.ts';

/** The facts of a session when its amount is checked; a field that is wrong is `undefined` here. */
export interface AmountContext {
  readonly operation: Operation | undefined;
  readonly currency: string | undefined;
  /** Something was sent as the currency, but it is none. */
  readonly currencyIsWrong: boolean;
  /** Whether the request begins a chain or checks a card: then zero may be fine. */
  readonly mayBeZero: boolean;
  /** Whether the payer may enter the amount at the provider. */
  readonly mayBeOpen: () => boolean;
}

export interface AmountResult {
  /** `payer`: the payer enters it. */
  readonly amount?: Money | 'payer';
  readonly issues: readonly Issue[];
}

const path = 'order.amount';

const refused = (message: string, at = path): AmountResult => ({ issues: [issue(at, message)] });

/** Reads `order.amount` by the rules of its operation (protocol: Amount format). */
export function readAmount(text: unknown, context: AmountContext): AmountResult {
  const { operation, currency } = context;
  if (text === undefined)
    return operation === 'purchase' && context.mayBeOpen() ? { amount: 'payer', issues: [] } : refused(TEXTS.blank);
  if (typeof text !== 'string') return { issues: [] };
  if (text === '') return refused(TEXTS.blank);
  if (text === '-1' && operation === 'transfer') return { amount: 'payer', issues: [] };
  // Published behaviour: an amount counts as not greater than zero beside a text that is no currency code (`Dollar`). Beside a code that is
  // only unknown it may be right.
  if (currency === undefined) return context.currencyIsWrong ? refused(TEXTS.greaterThanZero) : { issues: [] };
  const parsed = parseMoney(text, currency);
  if (!parsed.ok) return refused(amountText(text, currency, parsed.reason));
  if (isZero(parsed.money) && !zeroIsFine(context)) return refused(TEXTS.greaterThanZero, 'amount');
  return { amount: parsed.money, issues: [] };
}

/** Whether the provider supports a zero amount is known only once a MID is chosen; methods say it (`zeroAmount`). */
function zeroIsFine({ operation, mayBeZero }: AmountContext): boolean {
  return mayBeZero && (operation === 'purchase' || operation === 'debit');
}

/**
 * Reads `payment_schedule_amount`: an amount of the order's currency, above zero. It can be left out where the order's own amount is such a one.
 *
 * @param order the order's amount, where it could be read
 */
export function scheduleAmountIssues(
  { schedule_id, payment_schedule_amount: text }: Readonly<Record<string, unknown>>,
  currency: string | undefined,
  order: Money | 'payer' | undefined,
): Issue[] {
  const refused = (message: string) => [issue('payment_schedule_amount', message)];
  const isNeeded = schedule_id !== undefined && (order === 'payer' || (order && isZero(order)));
  if (text === '' || (text === undefined && isNeeded)) return refused(TEXTS.blank);
  if (typeof text !== 'string' || currency === undefined) return [];
  const parsed = parseMoney(text, currency);
  if (!parsed.ok) return refused(amountText(text, currency, parsed.reason));
  return isZero(parsed.money) ? refused(TEXTS.greaterThanZero) : [];
}

/** The text for an amount that cannot be read. */
export function amountText(text: string, currency: string, reason: MoneyProblem): string {
  if (reason === 'fraction') return TEXTS.wholeAmount;
  if (reason === 'decimals') return TEXTS.decimals(formatDecimals(findCurrency(currency)?.exponent ?? 0));
  return /^-\d/.test(text) ? TEXTS.greaterThanZero : TEXTS.notValid;
}
