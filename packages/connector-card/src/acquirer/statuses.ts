import { type DeclineCode, type Reasons, statusTable } from '@railyard/core';

/** Words of payments and of actions on them. */
export const statuses = statusTable({
  PENDING: 'pending',
  CHALLENGE: 'pending',
  AUTHENTICATED: 'pending',
  AUTHORISED: 'authorized',
  APPROVED: 'settled',
  DECLINED: { declined: 'hard', code: 'card_declined', reason: 'Declined by processing.' },
  EXPIRED: { declined: 'soft', code: 'timed_out', reason: 'The payer did not confirm the payment in time.' },
});

type PostSettlementEvent =
  | { readonly kind: 'reversal' }
  | { readonly kind: 'hold-expired' }
  | { readonly kind: 'chargeback'; readonly result?: 'won' | 'lost' }
  | 'reported-elsewhere';

/** Words for what became of a payment after it had money. `VOIDED` is reported by the void itself. */
export const postSettlementEvents: ReadonlyMap<string, PostSettlementEvent> = new Map<string, PostSettlementEvent>([
  ['REVERSED', { kind: 'reversal' }],
  ['HOLD_EXPIRED', { kind: 'hold-expired' }],
  ['CHARGED_BACK', { kind: 'chargeback' }],
  ['CHARGEBACK_WON', { kind: 'chargeback', result: 'won' }],
  ['CHARGEBACK_LOST', { kind: 'chargeback', result: 'lost' }],
  ['VOIDED', 'reported-elsewhere'],
]);

/**
 * Response codes after which another attempt, or another acquirer, may succeed (ISO 8583, data element 39): referral, do not
 * honour, try again, no money, PIN tries, over the limit, authentication wanted, issuer or system not to be reached.
 */
export const SOFT_CODES = new Set(['01', '05', '19', '51', '61', '65', '1A', '70', '91', '92', '96']);

/** Response codes (ISO 8583, data element 39) that a payer can do something about. */
export const RESPONSES: ReadonlyMap<string, DeclineCode> = new Map([
  ['14', 'card_not_valid'],
  ['19', 'provider_unavailable'],
  ['1A', 'authentication_failed'],
  ['33', 'card_expired'],
  ['51', 'insufficient_funds'],
  ['54', 'card_expired'],
  ['55', 'wrong_pin'],
  ['61', 'limit_exceeded'],
  ['65', 'authentication_failed'],
  ['70', 'authentication_failed'],
  ['75', 'wrong_pin'],
  ['91', 'provider_unavailable'],
  ['92', 'provider_unavailable'],
  ['96', 'provider_unavailable'],
]);

/** Refusals that the payer can do something about, with the reason in the protocol's words (reference: Test data). */
export const REFUSALS: Reasons = new Map([
  [
    'brand_not_supported',
    { kind: 'hard', code: 'card_not_supported', reason: 'Bad Request. Brand of card does not support.' },
  ],
]);

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['duplicate_reference', 'idempotency_key_in_use']);
