import { OPTIONAL_FIELDS } from '@railyard/core/payment';

/** Whatever a merchant can switch on for callbacks ("Add data to callback"): one field each. */
export const CALLBACK_DATA = [...OPTIONAL_FIELDS, 'extended_data'] as const;

/** The same for answers of the status lookups ("Add data to get status response"); `card`: the masked card and its expiry date. */
export const STATUS_DATA = [...CALLBACK_DATA, 'card'] as const;

export type CallbackData = (typeof CALLBACK_DATA)[number];
export type StatusData = (typeof STATUS_DATA)[number];
