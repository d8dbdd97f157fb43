import { type Answer, type ErrorBody, notFoundCode, refusedAnswer } from '@railyard/core/protocol';

/** Refusals of commands by what they mean: texts and codes of the reference's error list (S2S CARD, Errors) and of the protocol's not-found table. */
const REFUSALS = {
  /** No account of the merchant's takes the request. */
  'no-account': ['Enabled merchant mappings or MIDs not found.', 204002],
  /** The merchant has no such wallet, or no account that takes it. */
  'no-wallet': ['Payment method not supported.', 204004],
  brand: ['Payment system/brand not supported.', 204006],
  unsupported: ['Payment action not supported.', 204005],
  token: ['Card token is invalid or not found.', 205005],
  'token-expired': ['Card token is expired.', 205006],
  transaction: ['Transaction does not exist.', notFoundCode],
  order: ['Order does not exist.', notFoundCode],
  payment: ['Payment not found.', undefined],
  mandate: ['Incorrect transaction', undefined],
  schedule: ['Schedule not found', undefined],
  'schedule-used': ['Schedule is used by payments.', undefined],
  'schedule-busy': ['Schedule is being changed. Try again.', undefined],
  deprecated: ['Parameter is deprecated.', undefined],
  'not-soft': ['Not acceptable to request the retry for payment not softly declined.', undefined],
  void: ['Void is not allowed.', undefined],
  'capture-state': ['Not acceptable to request the capture for payment not in pending status.', 208003],
  'capture-amount': ['Not acceptable to request the capture for amount bigger than auth amount.', 208004],
  'refund-state': ['Not acceptable to request the refund for payment not in settled or pending status.', 208005],
  'refund-amount': ['Not acceptable to request the refund for amount bigger than payment amount.', 208006],
  'reversal-amount': ['Not acceptable to request the reversal for amount bigger than payment amount.', 208008],
  'reversal-part': ['Not acceptable to request the reversal for partial amount.', 208009],
  'under-way': ['Previous payment not completed.', undefined],
  erased: ['The data of the payment has been removed after the retention period.', undefined],
} as const satisfies Readonly<Record<string, readonly [text: string, code: number | undefined]>>;

export type RefusalName = keyof typeof REFUSALS;

/** The answer to a command that cannot be done. */
export function refusedBy(name: RefusalName): Answer<ErrorBody> {
  const [text, code] = REFUSALS[name];
  return refusedAnswer(text, code);
}
