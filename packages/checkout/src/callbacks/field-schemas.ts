import {
  byName,
  CALLBACK_STATUSES,
  CALLBACK_TYPES,
  EXCHANGE_FIELDS,
  OPTIONAL_FIELDS,
  ORDER_STATUS_WORDS,
  TRANSACTION_RESULTS,
  TRANSACTION_STATUSES,
  type OptionalField,
} from '@railyard/core/payment';
import * as z from 'zod';

/*
 * The fields that answers and callbacks share, each with its meaning. Types are inferred from them, and the OpenAPI document is made from them;
 * nothing is validated by them while the service runs.
 */

/** A text of an answer. */
export const textField = (meaning: string) => z.string().describe(meaning);

export const date = textField('`YYYY-MM-DD hh:mm:ss` in UTC.').regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

/** A field of Railyard: the payment was begun with the test key. A live payment has none. */
export const test = z
  .literal(true)
  .describe('The payment was begun with the test key. Live payments do not have this field.');

/** A form has it as a text. */
const flagged = (meaning: string) =>
  z.literal([true, 'true']).describe(`${meaning} A form has it as a text.`).optional();

/** The merchant's own data, in answers and callbacks. */
const customData = z
  .record(z.string(), z.unknown())
  .describe('The merchant’s own data. A form has bracket names, `custom_data[cart][id]`, and leaves nulls out.')
  .optional();

/** The order as an answer repeats it. */
export const orderSchema = z.object({
  number: textField('The number of the order.'),
  amount: textField('The amount, byte for byte as sent. If the payer chose it: the received amount, or empty.'),
  currency: textField('The currency of the order.'),
  description: textField('The description of the order.'),
});

export const reason = textField('Why it failed, in at most 1024 characters. Only of what failed.').optional();

/** The tokens that a mandate is charged again with. */
export const mandateFields = {
  recurring_init_trans_id: textField(
    'Names the first payment of the mandate. Send it with each later charge.',
  ).optional(),
  recurring_token: textField(
    'Charges the payer again, in `/api/v1/payment/recurring` and `RECURRING_SALE`.',
  ).optional(),
};

/** The schedule that follows a payment (protocol: Response echo). */
export const scheduleEchoFields = {
  schedule_id: textField('The schedule that charges the later payments.').optional(),
  schedule_start_date: textField('The day of the first charge that the request asked for.').optional(),
  payment_schedule_amount: textField('The amount of each later charge, where it is not the order’s.').optional(),
  first_recurring_date: textField('The day of the first charge of the schedule, `YYYY-MM-DD`.').optional(),
};

export type ScheduleEcho = z.output<z.ZodObject<typeof scheduleEchoFields>>;

/** The tax that the order's amount contains. The protocol has no fields for it. */
export const vatFieldSchemas = {
  vat_amount: textField('The value-added tax that the amount contains, of a session with `vat_calc`.').optional(),
  vat_rate: textField('The rate of that tax in percent.').optional(),
};

export type VatFields = z.output<z.ZodObject<typeof vatFieldSchemas>>;

/** A digital wallet, and the kind of number that its opened token had. */
export const walletFields = {
  digital_wallet: textField('The wallet that paid: `applepay` or `googlepay`.').optional(),
  pan_type: textField('Which number the wallet’s token held: `dpan` or `fpan`.').optional(),
};

/** The card, masked. */
export const cardFieldSchemas = {
  card: textField('The card’s number, masked: `411111******1111`.').optional(),
  card_expiration_date: textField('The card’s expiry date, `MM/YYYY`.').optional(),
};

/** A debit by command, whose payer pays a commission on top (reference: S2S APM, DEBIT2VIRTUAL). */
export const commissionFieldSchemas = {
  commission: textField('The commission that the payer pays on top of the amount.').optional(),
  total_amount: textField('The amount and its commission: what the payer pays.').optional(),
};

export type Commission = z.output<z.ZodObject<typeof commissionFieldSchemas>>;

/** Where the merchant sends the payer, as answers and callbacks of commands name it (reference: SALE answers). */
export const redirectFields = {
  redirect_url: textField('Send the payer there. Absent where you show the parameters yourself.').optional(),
  redirect_method: z.enum(['GET', 'POST']).describe('How to send the payer there.').optional(),
  crypto_address: textField('Where the payer sends the coins.').optional(),
  crypto_network: textField('The network of that address.').optional(),
  redirect_params: z
    .record(z.string(), z.string())
    .describe('The parameters to send with the payer. Of a QR code: `qr_code`, in Base64. Absent where there are none.')
    .optional(),
};

export type Redirect = z.output<z.ZodObject<typeof redirectFields>>;

const EXCHANGES: Readonly<Record<(typeof EXCHANGE_FIELDS)[number], string>> = {
  exchange_rate: 'The exchange rate that the provider applied.',
  exchange_rate_base: 'The rate before the provider’s margin.',
  exchange_currency: 'The currency that the provider exchanged to.',
  exchange_amount: 'The amount in that currency.',
};

/** A currency exchange that the provider applied. */
export const exchangeFieldSchemas = byName(EXCHANGE_FIELDS, (name) => textField(EXCHANGES[name]).optional());

const OPTIONALS: Readonly<Record<OptionalField, string>> = {
  arn: 'The acquirer’s reference number.',
  rrn: 'The retrieval reference number.',
  approval_code: 'The issuer’s approval.',
  issuer_country: 'The country of the issuer.',
  issuer_bank: 'The name of the issuer.',
  initiator: 'Who used the card: `payer` or `merchant`.',
  source: 'Where the card came from: `entered`, `wallet` or `stored`.',
  sequence: '`first`: the payment that stores the card; `subsequent`: a later one.',
  threeDSServerTransID: 'The transaction’s id at the 3DS server.',
  dsTransID: 'The transaction’s id at the directory server.',
  acsTransID: 'The transaction’s id at the issuer’s access control server.',
  xid: 'The transaction’s id of 3-D Secure 1.',
  transStatus: 'The result of 3-D Secure, in its own word.',
  transStatusReason: 'The reason of that result.',
  eci: 'The electronic commerce indicator.',
  protocolVersion: 'The version of 3-D Secure.',
  authenticationFlow: 'Whether the payer was challenged.',
  browser_color_depth: 'The color depth of the payer’s screen.',
  browser_screen_height: 'The height of the payer’s screen.',
  browser_screen_width: 'The width of the payer’s screen.',
  browser_java_enabled: 'Whether the payer’s browser runs Java.',
  browser_javascript_enabled: 'Whether the payer’s browser runs JavaScript.',
  browser_language: 'The language of the payer’s browser.',
  browser_timezone_offset: 'Minutes between UTC and the payer’s time.',
  browser_user_agent: 'The name that the payer’s browser gives itself.',
  browser_accept_headers: 'The header `Accept` of the payer’s browser.',
  browser_platform: 'The platform of the payer’s browser.',
  payer_first_name: 'First name of the payer, of a command.',
  payer_last_name: 'Last name of the payer, of a command.',
  payer_birth_date: 'Birth date of the payer.',
  payer_address: 'Street of the payer.',
  payer_address2: 'Second line of the payer’s address, of a command.',
  payer_house_number: 'House number of the payer.',
  payer_phone_country_code: 'Calling code of the payer’s phone number.',
  payer_country: 'Country of the payer.',
  payer_state: 'State of the payer.',
  payer_city: 'City of the payer.',
  payer_district: 'District of the payer.',
  payer_zip: 'Postal code of the payer.',
  payer_email: 'E-mail address of the payer.',
  payer_phone: 'Phone number of the payer.',
  payer_ip: 'IP address of the payer.',
  brand: 'The card’s network, or the method.',
  checkout_payment_method: 'The method’s key as the merchant used it.',
  connector_name: 'The connector of the payment.',
  gateway_id: 'The provider’s reference.',
  merchant_name: 'The merchant’s name.',
  mid_name: 'The account of the payment.',
};

/** The fields that the merchant switches on by `callbackData` and `statusData`. */
export const switchedFieldSchemas = {
  ...byName(OPTIONAL_FIELDS, (name) => textField(`${OPTIONALS[name]} Only where it is switched on.`).optional()),
  extended_data: z
    .record(z.string(), z.string())
    .describe('The provider’s own words, as `provider_status` and `provider_code`. Only where it is switched on.')
    .optional(),
};

/** The schedule of a payer's later charges, in callbacks. `schedule_paused` is not in the protocol. */
const scheduleFields = {
  ...scheduleEchoFields,
  schedule_paused: flagged('The charge was declined in such a way that its schedule charges this payer no more.'),
};

/** The fields of a callback of a payment that began below `/api/v1` (reference: Callback, Fields). */
export const callbackSchema = z.object({
  id: textField('The payment. Each attempt to pay has its own.'),
  order_number: textField('The number of the order.'),
  order_amount: textField('The amount, byte for byte as sent. If the payer chose it: the received amount, or empty.'),
  order_currency: textField('The currency of the order.'),
  order_description: textField('The description of the order.'),
  refund_amount: textField('With `type` `refund`: how much was refunded. The hash does not cover it.').optional(),
  capture_amount: textField('With `type` `capture`: how much was captured. The hash does not cover it.').optional(),
  approved_amount: textField('The amount that the provider approved, where it is less than the order’s.').optional(),
  ...vatFieldSchemas,
  order_status: z
    .enum([...ORDER_STATUS_WORDS, 'skipped'])
    .describe('How the order stands. Read `type`, `status` and `order_status` together.'),
  type: z.enum(CALLBACK_TYPES).describe('What the callback is about.'),
  status: z
    .enum([...CALLBACK_STATUSES, 'skipped'])
    .describe(
      'What became of it. `undefined`: not known yet, another callback follows. `skipped`: a due day that is not charged.',
    ),
  customer_ip: textField('The payer’s address, or empty. Absent of a skipped day.').optional(),
  date: date.describe('`YYYY-MM-DD hh:mm:ss` in UTC.'),
  reason: textField('Why it failed, in at most 1024 characters, with `status` `fail` or `skipped`.').optional(),
  ...cardFieldSchemas,
  card_token: textField('Pays with this card again.').optional(),
  payee_card: textField('The card that was paid to, masked.').optional(),
  ...walletFields,
  ...mandateFields,
  ...scheduleFields,
  customer_name: textField('Name of the payer, as the session named it.').optional(),
  customer_email: textField('E-mail address of the payer.').optional(),
  customer_country: textField('Country of the payer.').optional(),
  customer_state: textField('State of the payer.').optional(),
  customer_city: textField('City of the payer.').optional(),
  customer_address: textField('Street of the payer.').optional(),
  payee_name: textField('Name of the payee, on a transfer.').optional(),
  payee_email: textField('E-mail address of the payee, on a transfer.').optional(),
  payee_country: textField('Country of the payee, on a transfer.').optional(),
  payee_state: textField('State of the payee, on a transfer.').optional(),
  payee_city: textField('City of the payee, on a transfer.').optional(),
  payee_address: textField('Street of the payee, on a transfer.').optional(),
  crypto_network: textField('The network of a crypto payment.').optional(),
  crypto_address: textField('The address that the coins go to.').optional(),
  ...exchangeFieldSchemas,
  ...switchedFieldSchemas,
  test: flagged('The payment was begun with the test key. Live callbacks do not have this field.'),
  custom_data: customData,
  hash: textField('The protocol’s signature. It does not cover the three words: check the headers.'),
});

/** The fields of a callback to a merchant who asked by a server-to-server command: a form (reference: Callback of S2S APM and S2S CARD). */
export const commandCallbackSchema = z.object({
  action: textField('The action that the callback is about: of the payment’s command, or of a later one.'),
  result: z
    .enum([...TRANSACTION_RESULTS, 'SKIPPED'])
    .describe('What the command came to. `SKIPPED`: a due day that is not charged.'),
  status: z.enum([...TRANSACTION_STATUSES, 'SKIPPED']).describe('How the transaction stands.'),
  order_id: textField('The order.'),
  trans_id: textField('The transaction.'),
  trans_date: date.describe('When the transaction began, `YYYY-MM-DD hh:mm:ss` in UTC.'),
  creditvoid_date: date.describe('When the money went back, with `CREDITVOID`.').optional(),
  chargeback_date: date.describe('When the bank took the money back, with `CHARGEBACK`.').optional(),
  decline_reason: textField('Why it was declined, in at most 1024 characters.').optional(),
  amount: textField('The amount. Absent of a declined payment by card.').optional(),
  approved_amount: textField('The amount that the provider approved, where it is less than the order’s.').optional(),
  currency: textField('The currency of the amount.').optional(),
  ...commissionFieldSchemas,
  ...redirectFields,
  ...cardFieldSchemas,
  card_token: textField('Pays with this card again.').optional(),
  recurring_token: mandateFields.recurring_token,
  ...scheduleFields,
  ...walletFields,
  ...exchangeFieldSchemas,
  ...switchedFieldSchemas,
  test: flagged('The payment was begun with the test key. Live callbacks do not have this field.'),
  custom_data: customData,
  hash: textField('The protocol’s signature of this callback.'),
});
