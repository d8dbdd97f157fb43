import {
  amountFields,
  amountOf,
  declined,
  ofThisPayment,
  type Outcome,
  type Show,
  unlessTakenBefore,
  withAmount,
  withReason,
} from '@railyard/core';
import * as z from 'zod';
import { reasons, statuses, TAKEN_BEFORE } from './statuses.ts';

const told = {
  id: z.string().min(1),
  reference: z.string().optional(),
  status: z.string(),
  status_reason: z.string().max(35).optional(),
  ...amountFields,
};

/** Neither texts nor the payee's account: a provider may repeat a card number in them. */
export const payment = withAmount(z.object({ ...told, authorization_url: z.url({ protocol: /^https?$/ }).optional() }));
export const notifiedPayment = withAmount(z.object({ ...told, reference: z.string() }));
export const bankList = z.object({ banks: z.array(z.object({ id: z.string().min(1), name: z.string().min(1) })) });
export const problem = z.object({ code: z.string().max(64) });

export type InitiatedPayment = z.output<typeof payment>;

type Told = Omit<InitiatedPayment, 'authorization_url'>;

/** The outcome of a payment. */
export function outcomeOf({ id, status, status_reason: code, ...amount }: Told, show?: Show): Outcome {
  return withReason(
    statuses.read({ word: status, providerReference: id, amount: amountOf(amount), show, code }),
    reasons,
    code,
  );
}

/** The same of a payment that was asked for by our reference, and by its id where it is known. */
export function answeredOutcome(told: Told, ours: string, id?: string, show?: Show): Outcome {
  return ofThisPayment(outcomeOf(told, show), [
    { asked: ours, said: told.reference },
    { asked: id, said: told.id },
  ]);
}

/** A payment that the provider did not take. */
export function refusal({ code }: z.output<typeof problem>): Outcome {
  const why = declined('hard', 'declined_by_provider', { provider: { code } });
  return unlessTakenBefore(withReason(why, reasons, code), TAKEN_BEFORE);
}
