/**
 * What a merchant can have in callbacks beyond the usual fields ("Add data to callback"): names of fields and, with a star, groups. What nobody
 * supplies is left out; `arn` and `rrn` are sent empty (protocol: Callback and status fields).
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
