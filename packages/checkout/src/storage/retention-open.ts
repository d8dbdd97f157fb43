import { type RawBuilder, sql } from 'kysely';

/** Of a payment `p`: money may still move, or something about it is under way. */
export const isMoving = (): RawBuilder<unknown> => sql`(
  p.state IN ('created', 'pending', 'partially_approved', 'authorized') OR p.unknown OR p.modifying IS NOT NULL OR p.reserved_minor > 0 OR p.poll_at IS NOT NULL OR p.aside_text IS NOT NULL
  OR EXISTS (SELECT FROM modifications a WHERE a.payment_id = p.id AND a.state IN ('requested', 'pending', 'unknown'))
  OR EXISTS (SELECT FROM flow_runs r WHERE r.payment_id = p.id AND r.state <> 'finished'))`;

/**
 * Of a payment `p`: what it keeps of the payer is still needed, because it is moving, the merchant has not received its callbacks, an operator has
 * to look into an event of it, its mandate may be charged again, or the card that it saved can be paid with.
 */
export const isNeeded = (): RawBuilder<unknown> => sql`(
  ${isMoving()}
  OR EXISTS (SELECT FROM callbacks w WHERE w.payment_id = p.id AND w.state = 'waiting')
  OR EXISTS (SELECT FROM provider_events e WHERE e.payment_id = p.id AND e.state IN ('quarantined', 'unmatched'))
  OR EXISTS (SELECT FROM chains c WHERE c.id = p.id AND c.ended_at IS NULL)
  OR (p.recurring_token IS NOT NULL AND p.received_minor > 0 AND p.agreement_text <> '{}')
  OR EXISTS (SELECT FROM card_tokens t WHERE t.made_by = p.id))`;
