/** Operations of a session (protocol: What the service does). */
export const OPERATIONS = ['purchase', 'debit', 'credit', 'transfer'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** The ways in which the payer completes a payment; a closed vocabulary without any provider's name in it. */
export const COMPLETIONS = [
  'redirect',
  'qr',
  'payment-details',
  'voucher',
  'confirm-on-device',
  'collect',
  'link-sent',
  'address',
] as const;
export type CompletionKind = (typeof COMPLETIONS)[number];
