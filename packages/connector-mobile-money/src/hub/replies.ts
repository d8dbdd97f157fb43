import {
  amountFields,
  amountOf,
  declined,
  ofThisPayment,
  type Outcome,
  redirect,
  type Show,
  unlessTakenBefore,
  withAmount,
  withReason,
} from '@railyard/core';
import * as z from 'zod';
import { promptOn } from '../handset.ts';
import { reasons, statuses, TAKEN_BEFORE } from './statuses.ts';

const told = {
  /** The provider's reference. */
  reference: z.string().min(1),
  /** Ours. */
  payment_reference: z.string().optional(),
  status: z.string(),
  ...amountFields,
  failure_code: z.string().optional(),
};

const charge = withAmount(
  z.object({
    ...told,
    auth_method: z.string().optional(),
    /** The same under its other name. */
    auth_model: z.string().optional(),
    message: z.string().max(255).optional(),
    redirect_url: z.url({ protocol: /^https?$/ }).optional(),
    expires_at: z.iso.datetime({ offset: true }).optional(),
  }),
);

export const chargeBody = z.object({ data: charge });
export const payoutBody = z.object({ data: withAmount(z.object(told)) });
export const sentBody = z.object({ data: z.object({ status: z.string() }) });
export const problemBody = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) });

/** Charges and payouts in notifications. */
export const notifiedData = withAmount(z.object({ ...told, payment_reference: z.string() }));

export type Charge = z.output<typeof charge>;

type Told = Pick<Charge, 'reference' | 'payment_reference' | 'status' | 'amount' | 'currency' | 'failure_code'>;

/** How the payer confirms a charge. */
export const confirmation = ({ auth_method, auth_model }: Charge): string | undefined => auth_method ?? auth_model;

/** The outcome of a charge or a payout that was looked up by our reference. */
export function answeredOutcome(told: Told, ours: string, show?: Show): Outcome {
  return ofThisPayment(outcomeOf(told, show), [{ asked: ours, said: told.payment_reference }]);
}

/** The outcome of a charge or a payout, with its reason where the code is known. */
export function outcomeOf({ reference, status, failure_code: code, ...amount }: Told, show?: Show): Outcome {
  return withReason(
    statuses.read({ word: status, providerReference: reference, amount: amountOf(amount), show, code }),
    reasons,
    code,
  );
}

/** The display for the payer. An unknown word shows nothing: the page waits. */
export function showOf(charge: Charge, number?: string): Show | undefined {
  const { message, redirect_url: url, expires_at: expiresAt } = charge;
  switch (confirmation(charge)) {
    case 'STK_PROMPT':
      return promptOn({ number, message, expiresAt });
    case 'REDIRECT':
      return url === undefined ? undefined : redirect({ url });
    default:
      return undefined;
  }
}

/** A request that the provider did not take: the same one is not taken again, whatever its code is for one that fails later. */
export function refusal({ error: { code, message } }: z.output<typeof problemBody>): Outcome {
  const known =
    reasons.get(code) ?? ({ code: 'declined_by_provider', reason: 'The provider refused the request.' } as const);
  const refused = declined('hard', known.code, {
    ...(known.reason !== undefined && { reason: known.reason }),
    provider: { code, ...(message !== undefined && { message }) },
  });
  return unlessTakenBefore(refused, TAKEN_BEFORE);
}
