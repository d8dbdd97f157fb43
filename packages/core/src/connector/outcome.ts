import { DECLINE_REASONS, type DeclineCode } from './decline-codes.ts';
import type { Money } from '../money/money.ts';
import type { PaymentFacts } from '../payment/facts.ts';
import type { Show } from './show.ts';

/** The provider's own word, code and text, kept next to ours. */
export interface ProviderWord {
  readonly status?: string;
  readonly code?: string;
  readonly message?: string;
}

/** Names and values of the connector's own, such as ids of the provider; never secrets. */
export type ConnectorValues = Readonly<Record<string, string>>;

interface Extra {
  readonly provider?: ProviderWord;
  /** The values that later charges of the mandate need: kept with the payment that began it, and given to the `recurring` flow. */
  readonly agreement?: ConnectorValues;
  /** The values that later calls about this payment need: captures, refunds, lookups. */
  readonly connectorState?: ConnectorValues;
  /** Facts of the transaction that the provider reports beside its outcome. */
  readonly facts?: PaymentFacts;
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
  /** `soft`: another attempt may succeed; `hard`: it will not. `code`: shown to the payer in their language; `reason`: what the merchant reads. */
  | ({
      readonly status: 'declined';
      readonly kind: 'soft' | 'hard';
      readonly code: DeclineCode;
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
/**
 * Refused. The payer reads the page's text of the code in their language, the merchant the reason: the code's own unless given.
 *
 * @example declined('soft', 'insufficient_funds', { reference, provider: { code: '51' } })
 */
export const declined = (
  kind: 'soft' | 'hard',
  code: DeclineCode,
  extra: Extra & { providerReference?: string; reason?: string } = {},
): Outcome => ({ status: 'declined', kind, code, reason: DECLINE_REASONS[code], ...extra });
/** The outcome cannot be known from what was answered. */
export const unknown = (why: string, extra: Extra & { providerReference?: string } = {}): Outcome => ({
  status: 'unknown',
  why,
  ...extra,
});
