import { type Money, parseMoney } from '../money/money.ts';
import { readText } from '../plain-data.ts';

/** Currency and amount of a session's order, as far as they can be read. */
export function orderOf(session: object): {
  readonly currency: string | undefined;
  readonly amount: Money | undefined;
} {
  const currency = readText(session, 'order.currency');
  const parsed = parseMoney(readText(session, 'order.amount') ?? '', currency ?? '');
  return { currency, amount: parsed.ok ? parsed.money : undefined };
}
