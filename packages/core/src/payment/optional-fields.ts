/*
 * The fields of callbacks and status answers that a merchant switches on one by one, under their wire names (protocol: Callback and status
 * fields; reference: Callback, Fields).
 */

/** The numbers by which acquirer and issuer find a transaction, and the issuer's approval. */
export const REFERENCE_FIELDS = ['arn', 'rrn', 'approval_code', 'issuer_country', 'issuer_bank'] as const;

/** How a stored card was used. */
export const STORED_CARD_FIELDS = ['initiator', 'source', 'sequence'] as const;

/** The result of 3-D Secure, in its own words. */
export const THREE_D_SECURE_FIELDS = [
  'threeDSServerTransID',
  'dsTransID',
  'acsTransID',
  'xid',
  'transStatus',
  'transStatusReason',
  'eci',
  'protocolVersion',
  'authenticationFlow',
] as const;

/** A value of 3-D Secure that is no secret. */
export type AuthenticationName = (typeof THREE_D_SECURE_FIELDS)[number];
export type AuthenticationValues = Readonly<Partial<Record<AuthenticationName, string>>>;

/** The payer's browser, as it described itself. */
export const BROWSER_FIELDS = [
  'browser_color_depth',
  'browser_screen_height',
  'browser_screen_width',
  'browser_java_enabled',
  'browser_javascript_enabled',
  'browser_language',
  'browser_timezone_offset',
  'browser_user_agent',
  'browser_accept_headers',
  'browser_platform',
] as const;

/** The payer, as server-to-server commands carry them. A merchant's `payerFields` say which of these a command must carry. */
export const COMMAND_PAYER_FIELDS = [
  'payer_first_name',
  'payer_last_name',
  'payer_birth_date',
  'payer_address',
  'payer_address2',
  'payer_house_number',
  'payer_phone_country_code',
  'payer_country',
  'payer_state',
  'payer_city',
  'payer_district',
  'payer_zip',
  'payer_email',
  'payer_phone',
  'payer_ip',
] as const;

/** The payer, as callbacks carry them. A field that no command carries goes behind the others. */
export const PAYER_FIELDS = [...COMMAND_PAYER_FIELDS] as const;

/** Which way a payment took. */
export const ROUTE_FIELDS = [
  'brand',
  'checkout_payment_method',
  'connector_name',
  'gateway_id',
  'merchant_name',
  'mid_name',
] as const;

/** All of them, in the order in which they are written. */
export const OPTIONAL_FIELDS = [
  ...REFERENCE_FIELDS,
  ...STORED_CARD_FIELDS,
  ...THREE_D_SECURE_FIELDS,
  ...BROWSER_FIELDS,
  ...PAYER_FIELDS,
  ...ROUTE_FIELDS,
] as const;

/** A field that is absent unless it is switched on. All are texts. */
export type OptionalField = (typeof OPTIONAL_FIELDS)[number];

/** Those that are switched on and known. */
export type OptionalFields = Readonly<Partial<Record<OptionalField, string>>>;
