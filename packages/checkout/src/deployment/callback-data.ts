/**
 * Optional data of callbacks, which a merchant switches on ("Add data to callback"): names of fields and, with a star, groups.
 * Fields without a value are left out; `arn` and `rrn` are sent empty (protocol: Callback and status fields).
 */
export const CALLBACK_DATA = [
  'arn',
  'rrn',
  'brand',
  'checkout_payment_method',
  'connector_name',
  'gateway_id',
  'merchant_name',
  'mid_name',
  'payer_*',
  'extended_data',
] as const;

export type CallbackData = (typeof CALLBACK_DATA)[number];
