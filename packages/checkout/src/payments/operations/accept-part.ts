import type { TransitionDeps } from '../transitions/deps.ts';
import { applyChange } from '../transitions/apply.ts';
import { moneyOf } from '../state/payment-state.ts';
import type { ModificationResult, ModificationCommand } from './modification-result.ts';

/**
 * A merchant's capture of what the provider has taken already: nothing is sent, the merchant accepts it.
 *
 * @returns undefined where the capture is another one
 */
export async function acceptedByCapture(
  context: TransitionDeps,
  paymentId: string,
  { modification, amount }: Pick<ModificationCommand, 'modification' | 'amount'>,
): Promise<ModificationResult | undefined> {
  if (modification !== 'capture') return undefined;
  const payment = await context.stores.payments.find(paymentId);
  const received = payment && moneyOf(payment);
  if (payment?.state !== 'partially_approved' || received === undefined) return undefined;
  if (amount !== undefined && amount.currency !== received.currency) return { kind: 'refused', why: 'currency' };
  if (amount !== undefined && amount.minor !== received.minor)
    return { kind: 'refused', why: amount.minor > received.minor ? 'too-much' : 'no-partial' };
  const applied = await applyChange(context, paymentId, { change: { kind: 'accepted', via: 'merchant' } });
  if (applied.result !== 'applied') return { kind: 'refused', why: 'under-way' };
  const action_ = { state: 'succeeded', reason: null, updatedAt: applied.payment.updatedAt } as const;
  return { kind: 'acted', modification: action_, payment: applied.payment };
}
