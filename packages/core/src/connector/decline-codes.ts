/**
 * The codes of declines: a closed vocabulary without any provider's name in it. The page has a text for the payer under each, in every
 * language. The merchant is sent the sentence as `reason`, unless the connector gives its own; the code itself is never sent.
 * Soft or hard is no part of a code: each statement of a connector says it.
 */
export const DECLINE_REASONS = {
  // The payer’s account.
  insufficient_funds: 'There is not enough money in the account.',
  limit_exceeded: 'The limit of the account is reached.',
  account_not_found: 'The account was not found.',
  account_closed: 'The account is closed.',
  account_restricted: 'The account may not be used for this payment.',
  document_not_accepted: 'The payer’s document is not accepted.',
  // The payer.
  wrong_pin: 'The PIN was wrong.',
  authentication_failed: 'The payer was not authenticated.',
  cancelled_by_payer: 'The payer cancelled the payment.',
  stopped_by_payer: 'The payer stopped this attempt.',
  expired: 'The payment was not made in time.',
  timed_out: 'The payment was not confirmed in time.',
  phone_unreachable: 'The phone could not be reached.',
  // The card or wallet.
  card_declined: 'The card was declined.',
  card_expired: 'The card has expired.',
  card_not_valid: 'The card’s details are not valid.',
  card_not_supported: 'This card is not taken.',
  card_needed_again: 'The card data is no longer held. Enter the card again.',
  // The payee, and the amount.
  payee_not_valid: 'The account of the payee is not correct.',
  amount_not_accepted: 'The amount is not accepted.',
  given_back: 'Only a part of the amount was approved, and it was given back.',
  // The other side.
  declined_by_bank: 'The bank rejected the payment.',
  declined_by_provider: 'The provider refused the payment.',
  cancelled: 'The payment was cancelled.',
  not_completed: 'The payment failed.',
  // Faults.
  details_missing: 'A detail that the payment needs is missing.',
  not_supported: 'The payment cannot be made in this way.',
  provider_unavailable: 'The provider cannot be reached.',
  provider_error: 'The provider’s answer cannot be used.',
  technical_error: 'A technical error stopped the payment.',
} as const;

/** Why a payment was declined, as the page says it to the payer. */
export type DeclineCode = keyof typeof DECLINE_REASONS;

/** Whether a stored code is one of this version's. */
export const isDeclineCode = (code: string): code is DeclineCode => Object.hasOwn(DECLINE_REASONS, code);
