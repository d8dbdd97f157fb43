import { moneyOfMinor, parseMoney } from '@railyard/core';
import type { SessionRequest } from '@railyard/core/protocol';
import type { Payment } from '../../storage/index.ts';

/** A debit by command, whose payer pays a commission on top (reference: S2S APM, DEBIT2VIRTUAL). */
export interface Commission {
  readonly commission?: string;
  readonly total_amount?: string;
}

/** The commands whose payer pays the merchant's amount and a commission. */
export const isDebitToVirtual = (action: string | undefined): boolean => action?.startsWith('DEBIT2VIRTUAL') === true;

/** The commission of such a command, and what the payer pays in all: the payment's own amount. */
export function commissionFields(
  action: string | undefined,
  { order }: Pick<SessionRequest, 'order'>,
  { amountText, currency }: Pick<Payment, 'amountText' | 'currency'>,
): Commission {
  if (!isDebitToVirtual(action)) return {};
  const [asked, total] = [parseMoney(order.amount ?? '', currency), parseMoney(amountText ?? '', currency)];
  if (!asked.ok || !total.ok) return {};
  const { text } = moneyOfMinor(total.money.minor - asked.money.minor, currency);
  return { commission: text, total_amount: total.money.text };
}
