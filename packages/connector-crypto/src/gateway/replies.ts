import {
  address as addressShown,
  amountFields,
  amountOf,
  declined,
  ofThisPayment,
  type Outcome,
  redirect,
  type Show,
  unlessTakenBefore,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import { checkAddress } from '../address-check.ts';
import { coinAmount } from '../coin-amount.ts';
import { isNetwork, networks } from '../networks.ts';
import { statuses, TAKEN_BEFORE } from './statuses.ts';

/** Where the payer sends a coin to, where there is no page of the provider's. */
const payTo = z.object({
  address: z.string().max(200),
  asset: z.string(),
  network: z.string(),
  /** In the asset, exactly. */
  amount: coinAmount().optional(),
});

const transaction = withAmount(
  z.object({
    id: z.string().min(1),
    reference: z.string(),
    status: z.string(),
    ...amountFields,
    pay_url: z.url({ protocol: /^https?$/ }).optional(),
    pay_to: payTo.optional(),
    expires_at: z.iso.datetime({ offset: true }).optional(),
    reason: z.string().max(255).optional(),
  }),
);

export const transactionBody = z.object({ transaction });
export const problemBody = z.object({ code: z.string(), message: z.string().optional() });

export type Transaction = z.output<typeof transaction>;

/** The outcome of a transaction, from a reply or a notification. Without `show` the payer is shown nothing. */
export function told({ id, status, reason, ...amount }: Transaction, show?: Show): Outcome {
  return statuses.read({ word: status, providerReference: id, amount: amountOf(amount), message: reason, show });
}

/**
 * The outcome of the reply that made a payment, with what the payer is shown: a page, or an address that was checked. A wrong address
 * was never shown, so no payer can have paid to it, and another attempt may be made.
 *
 * @param test whether the address may be one of a test network
 */
export function created(made: Transaction, ours: string, asset: string | undefined, test: boolean): Outcome {
  const read = showOf(made, asset, test);
  const usable = told(made, typeof read === 'object' ? read : undefined);
  const outcome =
    typeof read === 'string' && usable.status === 'pending'
      ? declined('soft', 'provider_error', {
          reason: 'The provider gave an address that cannot be used.',
          providerReference: made.id,
          provider: { ...usable.provider, message: `Address refused: ${read}` },
        })
      : usable;
  return ofThisPayment(outcome, [{ asked: ours, said: made.reference }]);
}

/** The display for the payer, or the reason why there is none. */
function showOf({ pay_url: url, pay_to: to, expires_at }: Transaction, asset: string | undefined, test: boolean) {
  const timed = expires_at !== undefined && { validUntil: new Date(expires_at).toISOString() };
  if (url !== undefined) return redirect({ url, ...timed });
  if (to === undefined) return undefined;
  if (asset !== undefined && to.asset !== asset) return `it is for ${to.asset}`;
  if (!isNetwork(to.network)) return `nothing is known of the network ${to.network}`;
  const read = checkAddress(to.address, to.asset, to.network);
  if (read === 'unknown-asset') return `nothing is known of ${to.asset}`;
  if (!read.ok) return read.why;
  if (read.test && !test) return 'it is one of a test network';
  const { label } = networks[to.network];
  return addressShown({
    address: read.address,
    asset: to.asset,
    network: label,
    ...(to.amount !== undefined && { amount: to.amount }),
    ...timed,
  });
}

/** The outcome of a lookup. It shows something only after a lost reply: otherwise the payer has seen it. */
export function lookedUp(
  found: Transaction,
  asked: { readonly reference: string; readonly id: string | undefined; readonly test: boolean },
): Outcome {
  const outcome = asked.id === undefined ? created(found, asked.reference, undefined, asked.test) : told(found);
  return ofThisPayment(outcome, [
    { asked: asked.reference, said: found.reference },
    { asked: asked.id, said: found.id },
  ]);
}

/** A request that the provider did not take. */
export function refusal({ code, message }: z.output<typeof problemBody>): Outcome {
  const refused = declined('hard', 'declined_by_provider', {
    reason: 'The provider refused the request.',
    provider: { code, ...(message !== undefined && { message }) },
  });
  return unlessTakenBefore(refused, TAKEN_BEFORE);
}
