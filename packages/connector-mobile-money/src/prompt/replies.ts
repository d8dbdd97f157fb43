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
import { promptOn } from '../handset.ts';
import { statuses, TAKEN_BEFORE } from './statuses.ts';

const told = { id: z.string().min(1), reference: z.string().optional(), status: z.string(), ...amountFields };

export const phoneRequest = withAmount(
  z.object({
    ...told,
    message: z.string().max(255).optional(),
    expires_at: z.iso.datetime({ offset: true }).optional(),
  }),
);
export const notifiedRequest = withAmount(z.object({ ...told, reference: z.string() }));
export const sent = z.object({ id: z.string() });
export const problem = z.object({ code: z.string(), message: z.string().optional() });

export type PhoneRequest = z.output<typeof phoneRequest>;

type Told = Pick<PhoneRequest, 'id' | 'reference' | 'status' | 'amount' | 'currency'>;

/** The outcome of a request that was looked up by our reference, or by its id where it is known. */
export function answeredOutcome(told: Told, ours: string, show?: Show, id?: string): Outcome {
  return ofThisPayment(outcomeOf(told, show), [
    { asked: ours, said: told.reference },
    { asked: id, said: told.id },
  ]);
}

/** The outcome of a request. */
export function outcomeOf({ id, status, ...amount }: Told, show?: Show): Outcome {
  return statuses.read({ word: status, providerReference: id, amount: amountOf(amount), show });
}

/** The prompt on the phone, as the page shows it. */
export function showOf({ message, expires_at: expiresAt }: PhoneRequest, number?: string): Show {
  return promptOn({ number, message, expiresAt });
}

/** A request that the provider did not take. */
export function refusal({ code, message }: z.output<typeof problem>): Outcome {
  const refused = declined('hard', 'declined_by_provider', {
    reason: 'The provider refused the request.',
    provider: { code, ...(message !== undefined && { message }) },
  });
  return unlessTakenBefore(refused, TAKEN_BEFORE);
}
