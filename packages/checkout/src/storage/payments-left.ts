import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import type { PaymentState } from './schema/payments.ts';

/** A payment with an unknown outcome, one that is open and that nothing asks about any more, or one with money that waits for a decision. */
export interface LeftPayment {
  readonly id: string;
  readonly state: PaymentState;
  /** Its outcome is unknown; otherwise the provider has accepted it, and its result is not final. */
  readonly unknown: boolean;
  readonly merchantKey: string;
  readonly orderNumber: string;
  readonly operation: string;
  readonly midId: string;
  readonly method: string;
  /** As the merchant sent it; null where the payer chooses. */
  readonly amountText: string | null;
  readonly currency: string;
  /** Ours, which the provider was given. */
  readonly merchantReference: string;
  readonly providerReference: string | null;
  /** How often the provider was asked. */
  readonly polls: number;
  /** Money that came and does not fit, as the provider reported it. */
  readonly asideText: string | null;
  readonly createdAt: Date;
}

/** Of a payment `p`: a person has to decide about money of it. */
const isUndecided = (): RawBuilder<unknown> =>
  sql`(p.aside_text IS NOT NULL OR (p.state = 'partially_approved' AND p.poll_at IS NULL))`;

/** Of a payment `p`: open, and nothing asks about it. One whose flow runs or waits for the payer needs no lookup. */
export const isLeft = (): RawBuilder<unknown> => sql`p.poll_at IS NULL AND p.state IN ('created', 'pending')
  AND NOT EXISTS (SELECT FROM flow_runs r WHERE r.payment_id = p.id AND r.state <> 'finished')`;

const isUnknown = (): RawBuilder<unknown> => sql`(p.unknown AND p.state IN ('created', 'pending'))`;

/** Those with money that waits for a decision first, then those with unknown outcomes; of these the oldest first. */
export async function paymentsLeft(db: Db, limit: number): Promise<LeftPayment[]> {
  const left = await sql<LeftPayment>`
    SELECT p.id, p.state, p.unknown, p.merchant_key, p.order_number, p.operation, p.mid_id, p.method, p.amount_text, p.currency, p.merchant_reference,
      p.provider_reference, p.polls, p.aside_text, p.created_at
    FROM payments p WHERE (${isLeft()}) OR ${isUnknown()} OR ${isUndecided()} ORDER BY ${isUndecided()} DESC, p.unknown DESC, p.created_at, p.id LIMIT ${limit}::integer`.execute(
    db,
  );
  return left.rows;
}
