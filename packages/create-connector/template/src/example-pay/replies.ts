import { fromDecimal, ofThisPayment, type Outcome, parseMoney, redirect } from '@railyard/core';
import * as z from 'zod';
import { statuses } from './statuses.ts';

const amountShape = { amount: z.string(), currency: z.string() };

/** An amount that its currency cannot hold is no reply that we understand. */
const isAmount = ({ amount, currency }: { amount: string; currency: string }) => parseMoney(amount, currency).ok;

/** Name what the flows use and nothing else: the rest of a reply is dropped before anything is written down. */
export const payment = z
  .object({
    id: z.string().min(1),
    reference: z.string().optional(),
    status: z.string(),
    ...amountShape,
    payer_url: z.url({ protocol: /^https?$/ }).optional(),
  })
  .refine(isAmount, { path: ['amount'] });
export const refund = z
  .object({ id: z.string().min(1), reference: z.string().optional(), status: z.string(), ...amountShape })
  .refine(isAmount, { path: ['amount'] });
export const problem = z.object({ code: z.string(), message: z.string().optional() });

interface Told {
  readonly id: string;
  readonly reference?: string | undefined;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly payer_url?: string | undefined;
}

/** The names under which something was asked for: ours, and the provider's where it is known. */
export interface Asked {
  readonly reference: string;
  readonly id?: string | undefined;
}

/** The outcome of a reply about a payment or a refund. A reply about another one says nothing about this one. */
export function outcomeOf(told: Told, asked?: Asked): Outcome {
  const { id, reference, status, amount, currency, payer_url } = told;
  const outcome = statuses.read({
    word: status,
    providerReference: id,
    amount: fromDecimal(amount, currency),
    ...(payer_url !== undefined && { show: redirect({ url: payer_url }) }),
  });
  return ofThisPayment(outcome, [
    { asked: asked?.reference, said: reference },
    { asked: asked?.id, said: id },
  ]);
}

/** The provider's own word for a refusal, kept for the merchant's support. */
export function wordsOf({ code, message }: z.output<typeof problem>) {
  return { provider: { code, ...(message !== undefined && { message }) } };
}
