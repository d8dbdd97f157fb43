import type { DeclineCode, Reasons } from '@railyard/core';

/** Another attempt, or another acquirer, may succeed. */
const SOFT: Readonly<Record<string, DeclineCode>> = {
  // Refer to the issuer; do not honour.
  '01': 'card_declined',
  '05': 'card_declined',
  '19': 'provider_unavailable',
  '1A': 'authentication_failed',
  '51': 'insufficient_funds',
  '61': 'limit_exceeded',
  '65': 'authentication_failed',
  '70': 'authentication_failed',
  '91': 'provider_unavailable',
  '92': 'provider_unavailable',
  '96': 'provider_unavailable',
};

/** The payer needs another card, or other data of this one. */
const HARD: Readonly<Record<string, DeclineCode>> = {
  '14': 'card_not_valid',
  '33': 'card_expired',
  '54': 'card_expired',
  '55': 'wrong_pin',
  '75': 'wrong_pin',
};

/**
 * Response codes of card schemes (ISO 8583, data element 39) that say why a payment is declined.
 *
 * @param reason what the merchant reads, in place of the codes' own
 * @example statusTable({ APPROVED: 'settled', DECLINED: { declined: 'hard', code: 'card_declined' } }, responseCodes())
 */
export const responseCodes = (reason?: string): Reasons =>
  new Map(
    (
      [
        ['soft', SOFT],
        ['hard', HARD],
      ] as const
    ).flatMap(([kind, codes]) =>
      Object.entries(codes).map(
        ([response, code]) => [response, { kind, code, ...(reason !== undefined && { reason }) }] as const,
      ),
    ),
  );
