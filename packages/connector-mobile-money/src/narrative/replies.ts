import { amountFields, amountOf, ofThisPayment, type Outcome, type Show, withAmount } from '@railyard/core';
import * as z from 'zod';
import { statuses } from './statuses.ts';

const told = {
  TransactionReference: z.string().min(1),
  /** Ours. */
  ExternalReference: z.string().optional(),
  TransactionStatus: z.string(),
  ...amountFields,
};

/** Elements of XML are text: `Amount` and `CurrencyCode` are read under the names that amounts have here. */
const response = z.preprocess(
  renamed,
  withAmount(z.object({ ...told, StatusMessage: z.string().max(255).optional() })),
);

function renamed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return 'Amount' in value && 'CurrencyCode' in value
    ? { ...value, amount: value.Amount, currency: value.CurrencyCode }
    : value;
}

export const transaction = z.object({ Response: response });
export const problem = z.object({
  Response: z.object({ StatusCode: z.string(), StatusMessage: z.string().optional() }),
});

export type Transaction = z.output<typeof response>;

export const isTaken = { 'Response.Status': 'OK' } as const;
export const isError = { 'Response.Status': 'ERROR' } as const;

/** The outcome of a transaction that was looked up by our reference. */
export function outcomeOf(
  { TransactionReference: reference, ExternalReference: said, TransactionStatus: word, ...amount }: Transaction,
  ours: string,
  show?: Show,
): Outcome {
  const outcome = statuses.read({ word, providerReference: reference, amount: amountOf(amount), show });
  return ofThisPayment(outcome, [{ asked: ours, said }]);
}
