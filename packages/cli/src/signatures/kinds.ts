import { byName, MODIFICATION_ROUTES } from '@railyard/core/payment';
import { ALL_FIELDS } from './callback-fields.ts';
import type { AnyFormula } from './formula.ts';

type ModificationFormula = (typeof MODIFICATION_ROUTES)[number]['formula'];

const OF_MODIFICATIONS: Readonly<Record<ModificationFormula, readonly [ModificationFormula]>> = byName(
  MODIFICATION_ROUTES.map(({ formula }) => formula),
  (formula) => [formula],
);

/** The messages that the protocol's hash signs → formula; the second where the message has no amount, or no payment. */
const KINDS = {
  session: ['session', 'session_without_amount'],
  status: ['status_by_payment', 'status_by_order'],
  ...OF_MODIFICATIONS,
  retry: ['retry'],
  recurring: ['recurring'],
  'card-credit': ['card_credit'],
  callback: ['callback', 'callback_without_amount'],
  return: ['return', 'return_without_amount'],
  payout: ['payout'],
  transaction: ['transaction'],
  'payout-callback': ['payout_callback'],
  'command-callback': [ALL_FIELDS],
  collection: ['collection'],
  'credit-void': ['credit_void'],
  card: ['card'],
  'card-transaction': ['card_transaction'],
  'card-order': ['card_order'],
  schedule: ['schedule'],
  'test-clock': ['test_clock'],
} as const satisfies Readonly<Record<string, readonly [AnyFormula, AnyFormula?]>>;

export type HashKind = keyof typeof KINDS;

const isHashKind = (text: string): text is HashKind => Object.hasOwn(KINDS, text);

export const HASH_KINDS: readonly HashKind[] = Object.keys(KINDS).filter(isHashKind);

/** Callbacks carry a signature in their headers too (Standard Webhooks). */
export const WEBHOOK = 'webhook';

/** A request that is signed in its headers. */
export const REQUEST = 'request';

/** The formulas that a kind of message may have, the usual one first. */
export function formulasOf(kind: HashKind): readonly AnyFormula[] {
  return KINDS[kind];
}
