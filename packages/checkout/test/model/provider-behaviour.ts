/**
 * What stays with what a request made. `refuses-repeats`: its key, or its reference, is refused from then on, while it is under way too;
 * `declines-repeats`: the same, by an answer that looks like that of a payment which was declined.
 * `lags`: no lookup shows it before the provider has caught up. `odd-text`: its free text holds what no database keeps.
 * `zero-fraction`: its numbers are written `1000.0`. `hours-early`: the times that are written for it are three hours early.
 */
export const TRAITS = [
  'refuses-repeats',
  'declines-repeats',
  'lags',
  'odd-text',
  'zero-fraction',
  'hours-early',
] as const;

export type Trait = (typeof TRAITS)[number];

export const ACT_KINDS = ['capture', 'refund', 'void', 'release'] as const;

export type ActKind = (typeof ACT_KINDS)[number];

export type Standing = 'done' | 'pending' | 'refused';

export interface Made {
  readonly tx: string;
  readonly traits: readonly Trait[];
  state: Standing;
  isShown: boolean;
}

/** Money that the provider moved, or may move. */
export interface Charge extends Made {
  readonly reference: string;
  readonly asked: string;
  /** What was approved of it. */
  amount: string;
  readonly held: boolean;
  /** Until when it can be paid, where there is a limit: milliseconds by the provider's clock. */
  readonly payableUntil: number | undefined;
}

export interface Act extends Made {
  /** Ours; of a refund that the provider made by itself, its own. */
  readonly id: string;
  readonly kind: ActKind;
  readonly payment: string;
  readonly amount: string | null;
}
