import {
  amountFields,
  amountOf,
  declined,
  ofThisPayment,
  type Outcome,
  type Show,
  unlessTakenBefore,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import { statuses, TAKEN_BEFORE } from './statuses.ts';

const told = {
  transaction_id: z.string().min(1),
  /** Ours. */
  merchant_reference: z.string().optional(),
  status: z.string(),
  ...amountFields,
};

export const transaction = withAmount(z.object({ ...told, redirect_url: z.url({ protocol: /^https?$/ }).optional() }));
export const notifiedTransaction = withAmount(z.object({ ...told, merchant_reference: z.string() }));
export const problem = z.object({ error_code: z.string().max(64) });

export type Transaction = z.output<typeof transaction>;

type Told = Omit<Transaction, 'redirect_url'>;

/** The outcome of a transaction. */
export function outcomeOf({ transaction_id: reference, status: word, ...amount }: Told, show?: Show): Outcome {
  return statuses.read({ word, providerReference: reference, amount: amountOf(amount), show });
}

/** The same of a transaction that was asked for by our reference, and by its id where it is known. */
export function answeredOutcome(told: Told, ours: string, id?: string, show?: Show): Outcome {
  return ofThisPayment(outcomeOf(told, show), [
    { asked: ours, said: told.merchant_reference },
    { asked: id, said: told.transaction_id },
  ]);
}

/** A transaction that the provider did not open. */
export function refusal({ error_code: code }: z.output<typeof problem>): Outcome {
  return unlessTakenBefore(declined('hard', 'declined_by_provider', { provider: { code } }), TAKEN_BEFORE);
}
