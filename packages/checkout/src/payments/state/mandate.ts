import type { Outcome } from '@railyard/core';
import type { PaymentState } from '@railyard/core/payment';
import type { SessionRequest } from '@railyard/core/protocol';
import { sealedAt } from '../../secrets/index.ts';
import type { PaymentStateDeps } from './deps.ts';
import type { Mid } from '../../merchants/directory.ts';
import type { Payment } from '../../storage/index.ts';

/** The fields with which a merchant requests later charges of a mandate (protocol: recurring_token, recurring_init_trans_id). */
export interface MandateTokens {
  readonly recurring_init_trans_id: string;
  readonly recurring_token: string;
}

/** The sealed token of a payment whose connector can charge again; whether it did agree to that, its outcome says. */
export function newRecurringToken(
  { sealer, newId }: PaymentStateDeps,
  { connector }: Mid,
  methodKey: string,
  paymentId: string,
): string | undefined {
  const flows = connector.serves.find(({ method }) => method.key === methodKey)?.flows;
  return flows?.recurring === undefined ? undefined : sealer.seal(newId(), sealedAt.recurringToken(paymentId));
}

/** The tokens of the mandate that a payment began or belongs to. @param held its first payment, which the caller has just read */
export async function mandateTokens(
  { stores, sealer }: Pick<PaymentStateDeps, 'stores' | 'sealer'>,
  payment: Payment,
  held?: Payment,
): Promise<MandateTokens | undefined> {
  const first = payment.mandateId === null ? payment : (held ?? (await stores.payments.find(payment.mandateId)));
  if (first?.recurringToken == null) return undefined;
  const recurring_token = sealer.open(first.recurringToken, sealedAt.recurringToken(first.id));
  return { recurring_init_trans_id: first.merchantReference, recurring_token };
}

/**
 * Whether the merchant receives the tokens of a mandate: with every later charge, and with a first payment once it is settled, if the
 * merchant asked for a mandate or the account has Card-on-File (protocol: recurring_init; card_on_file_support), and its provider gave what
 * later charges need: its agreement.
 */
export function hasMandate(
  { directory }: Pick<PaymentStateDeps, 'directory'>,
  payment: Payment,
  { recurring_init }: Pick<SessionRequest, 'recurring_init'>,
  next: Pick<PaymentState, 'received'>,
  outcome?: Outcome,
): boolean {
  if (payment.mandateId !== null) return true;
  const isOnFile = directory.mid(payment.midId)?.config.cardOnFile === true;
  if (!recurring_init && !isOnFile) return false;
  return next.received !== undefined && Object.keys({ ...payment.agreement, ...outcome?.agreement }).length > 0;
}

/** The id that the merchant knows a payment by: that of its first try. */
export const publicId = ({ id, retryOf }: Pick<Payment, 'id' | 'retryOf'>): string => retryOf ?? id;

/** The kind of a payment in its callbacks. */
export const kindOf = ({ mandateId, operation }: Pick<Payment, 'mandateId' | 'operation'>) =>
  mandateId === null ? operation : 'recurring';
