import type { Money } from '../money/money.ts';
import type { Show } from './show.ts';

/** The provider's own word, code and text, kept next to ours. */
export interface ProviderWord {
  readonly status?: string;
  readonly code?: string;
  readonly message?: string;
}

/** Ids that a later action needs again, never secrets; stored with the payment. */
export type Kept = Readonly<Record<string, string>>;

interface Extra {
  readonly provider?: ProviderWord;
  readonly keep?: Kept;
}

interface PendingExtra extends Extra {
  /**
   * ISO 8601 in UTC: until when the payer can pay. The time of what is shown (`validUntil`) unless given; without either the payment can be
   * paid for ever, and is never reported as expired by the time alone.
   */
  readonly payableUntil?: string;
}

/** `reference` is the provider's, under which notifications and lookups find the payment. */
export type Outcome =
  | ({ readonly status: 'settled'; readonly providerReference: string; readonly amount: Money } & Extra)
  | ({ readonly status: 'authorized'; readonly providerReference: string; readonly amount: Money } & Extra)
  | ({ readonly status: 'pending'; readonly providerReference: string; readonly show?: Show } & PendingExtra)
  /** `soft`: another attempt may succeed; `hard`: it will not. */
  | ({
      readonly status: 'declined';
      readonly kind: 'soft' | 'hard';
      readonly reason: string;
      readonly providerReference?: string;
    } & Extra)
  /** Not known yet: never shown as failure, looked up until known. */
  | ({ readonly status: 'unknown'; readonly why: string; readonly providerReference?: string } & Extra);

export type OutcomeStatus = Outcome['status'];

/** Money has moved; `amount` is what was really paid. */
export const settled = (reference: string, amount: Money, extra: Extra = {}): Outcome => ({
  status: 'settled',
  providerReference: reference,
  amount,
  ...extra,
});
/** Money is held, to be captured later. */
export const authorized = (reference: string, amount: Money, extra: Extra = {}): Outcome => ({
  status: 'authorized',
  providerReference: reference,
  amount,
  ...extra,
});
/** Accepted, not final; with what the payer is shown meanwhile. */
export const pending = (reference: string, show?: Show, extra: PendingExtra = {}): Outcome => ({
  status: 'pending',
  providerReference: reference,
  ...(show && { show }),
  ...extra,
});
/** Refused. @example declined('soft', 'Not enough money', { reference, provider: { code: '51' } }) */
export const declined = (
  kind: 'soft' | 'hard',
  reason: string,
  extra: Extra & { providerReference?: string } = {},
): Outcome => ({ status: 'declined', kind, reason, ...extra });
/** The outcome cannot be known from what was answered. */
export const unknown = (why: string, extra: Extra & { providerReference?: string } = {}): Outcome => ({
  status: 'unknown',
  why,
  ...extra,
});
