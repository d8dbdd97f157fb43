import { fromDecimal, type Money, type Outcome, parseMoney, redirect } from '@railyard/core';
import * as z from 'zod';
import { statuses } from './statuses.ts';

const amountShape = { amount: z.string(), currency: z.string() };

/** An amount that its currency cannot hold is no reply that we understand. */
const isAmount = ({ amount, currency }: { amount: string; currency: string }) => parseMoney(amount, currency).ok;

/** Name what the flows use and nothing else: the rest of a reply is dropped before anything is written down. */
export const payment = z
  .object({
    id: z.string().min(1),
    status: z.string(),
    ...amountShape,
    payer_url: z.url({ protocol: /^https?$/ }).optional(),
  })
  .refine(isAmount, { path: ['amount'] });
export const refund = z
  .object({ id: z.string().min(1), status: z.string(), ...amountShape })
  .refine(isAmount, { path: ['amount'] });
export const problem = z.object({ code: z.string(), message: z.string().optional() });

interface Told {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly payer_url?: string | undefined;
}

/** What the provider says of a payment or a refund, in our words. */
export function outcomeOf({ id, status, amount, currency, payer_url }: Told): Outcome {
  const paid: Money = fromDecimal(amount, currency);
  return statuses.read({
    word: status,
    reference: id,
    amount: paid,
    ...(payer_url !== undefined && { show: redirect({ url: payer_url }) }),
  });
}

/** The provider's own word for a refusal, kept for the merchant's support. */
export function wordsOf({ code, message }: z.output<typeof problem>) {
  return { provider: { code, ...(message !== undefined && { message }) } };
}
