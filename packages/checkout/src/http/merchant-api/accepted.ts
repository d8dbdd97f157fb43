import type { Answer } from '@railyard/core/protocol';
import { publicId } from '../../payments/state/mandate.ts';
import type { Payment } from '../../storage/index.ts';

/** The answer to what is started at once and reported by callback: a capture, a refund, a retry, a payout to a card. */
export interface AcceptedBody {
  readonly payment_id: string;
  readonly result: 'accepted';
}

export const accepted = (payment: Pick<Payment, 'id' | 'retryOf'>): Answer<AcceptedBody> => ({
  status: 200,
  body: { payment_id: publicId(payment), result: 'accepted' },
});
