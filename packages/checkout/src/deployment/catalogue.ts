import {
  compareMoney,
  countryCodes,
  currency,
  currency as findCurrency,
  isCleanText,
  parseMoney,
  TEXTS,
  type Connector,
} from '@railyard/core';
import { CATCH_UPS } from '@railyard/core/protocol';
import { limitRowSchema, routingRuleSchema } from '@railyard/core/registry';
import * as z from 'zod';
import { ALL_BRANDS, brandOf } from '../rules/browser/card-rules.js';
import { addressProblem, isAddressRange, type CallbackNetwork } from './addresses.ts';
import { isTimeZone } from './time-zones.ts';
import { secretValues, valuesWithSecrets } from '../secrets/index.ts';
import {
  byName,
  COMMAND_PAYER_FIELDS,
  MODIFICATION_NAMES,
  MODIFICATION_ROUTES,
  MODIFICATIONS,
  type ModificationAction,
  type ModificationPath,
  modificationWith,
  OPTIONAL_FIELDS,
} from '@railyard/core/payment';

/** Whatever a merchant can switch on for callbacks ("Add data to callback"): one field each. */
export const CALLBACK_DATA = [...OPTIONAL_FIELDS, 'extended_data'] as const;

/** The same for answers of the status lookups ("Add data to get status response"); `card`: the masked card and its expiry date. */
export const STATUS_DATA = [...CALLBACK_DATA, 'card'] as const;

export type CallbackData = (typeof CALLBACK_DATA)[number];
export type StatusData = (typeof STATUS_DATA)[number];

/** A percentage from 0 to 100, with up to four decimals. */
const SHARE = /^(?:100|\d{1,2}(?:\.\d{1,4})?)$/;

const PERCENTAGE_HINT = 'Use a percentage of up to four decimals, such as "1.25".';

/** One row of a method's commissions: the commission that the payer pays on top of an amount in this currency. */
export const commissionRowSchema = z
  .strictObject({
    currency: z
      .string()
      .refine((code) => findCurrency(code) !== undefined, 'This is no currency.')
      .describe('The currency of the row. It adds no commission to an amount in another currency.'),
    percent: z
      .string()
      .regex(SHARE, PERCENTAGE_HINT)
      .default('0')
      .describe('Share of the amount in percent, rounded half up to the currency’s smallest unit.'),
    fixed: z.string().default('0').describe('Added to the share.'),
    min: z.string().optional().describe('The least commission.'),
    max: z.string().optional().describe('The greatest commission.'),
  })
  .check(({ value: { currency, fixed, min, max }, issues }) => {
    const problem = (path: string, message: string) =>
      issues.push({ code: 'custom', input: path, path: [path], message });
    const read = (path: string, text: string | undefined) => {
      const parsed = text === undefined ? undefined : parseMoney(text, currency);
      // An unknown currency is reported once.
      if (parsed?.ok === false && parsed.reason !== 'currency') problem(path, `Use an amount of ${currency}.`);
      return parsed?.ok === true ? parsed.money : undefined;
    };
    read('fixed', fixed);
    const [least, most] = [read('min', min), read('max', max)];
    if (least && most && compareMoney(least, most) > 0) problem('max', 'It is below min. Swap them.');
  });

export type CommissionRow = z.output<typeof commissionRowSchema>;

/** Which way money goes: to the merchant, away from the merchant, back to the payer who paid, or nowhere. */
export type Direction = 'in' | 'out' | 'back' | 'read';

const ROUTE_DIRECTIONS: Readonly<Record<ModificationPath, Direction>> = byName(
  MODIFICATION_ROUTES.map(({ path }) => path),
  (path) => MODIFICATIONS[modificationWith(path, ({ route }) => route?.path)].direction,
);

const COMMAND_DIRECTIONS: Readonly<Record<ModificationAction, Direction>> = byName(
  MODIFICATION_NAMES.map((name) => MODIFICATIONS[name].command.action),
  (action) => MODIFICATIONS[modificationWith(action, ({ command }) => command.action)].direction,
);

/**
 * Everything that a merchant can ask for, and which way money goes then: sessions by their operation, the other routes by their path below
 * `/api/v1`, commands by their action. Those marked `out` need a request signature and a merchant who pays out.
 */
export const DIRECTIONS = {
  purchase: 'in',
  debit: 'in',
  credit: 'out',
  // The payer pays, and a payee is paid out to.
  transfer: 'out',
  ...ROUTE_DIRECTIONS,
  ...COMMAND_DIRECTIONS,
  // Of a purchase or a debit alone.
  '/session/token': 'in',
  '/payment/status': 'read',
  '/payment/recurring': 'in',
  '/payment/retry': 'in',
  '/payment/card/credit': 'out',
  // Schedules charge by it.
  '/test/clock': 'in',
  SALE: 'in',
  DEBIT: 'in',
  RECURRING_SALE: 'in',
  RECURRING_DEBIT: 'in',
  RETRY: 'in',
  CREDIT2CARD: 'out',
  // The payer pays, and a payee is paid out to.
  CARD2CARD: 'out',
  DEBIT2VIRTUAL: 'in',
  DEBIT2VIRTUAL_CALC: 'in',
  DEBIT2VIRTUAL_COMPLETE: 'in',
  CREDIT2VIRTUAL: 'out',
  CREDIT2CRYPTO: 'out',
  GET_TRANS_STATUS: 'read',
  GET_TRANS_STATUS_BY_ORDER: 'read',
  GET_TRANS_DETAILS: 'read',
  CREATE_SCHEDULE: 'in',
  UPDATE_SCHEDULE: 'in',
  PAUSE_SCHEDULE: 'in',
  PAUSE: 'in',
  RUN_SCHEDULE: 'in',
  RUN: 'in',
  DELETE_SCHEDULE: 'in',
  DESCHEDULE: 'in',
  SCHEDULE_INFO: 'read',
} as const satisfies Readonly<Record<string, Direction>>;

export type CallName = keyof typeof DIRECTIONS;

/** The permissions of a request key. */
export const PERMISSIONS = ['create', 'read', 'refund', 'pay-out'] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** The permission that a key needs for each direction. */
export const PERMISSION_FOR = {
  in: 'create',
  out: 'pay-out',
  back: 'refund',
  read: 'read',
} as const satisfies Record<Direction, Permission>;

/** Whether a field of the payer must be sent. */
const rules = z.partialRecord(z.enum(COMMAND_PAYER_FIELDS), z.enum(['required', 'optional']));

/** The rules of a merchant's mapping, by protocol (protocol: S2S CARD payer fields). */
export const payerFieldsSchema = z.strictObject({ card: rules.default({}), apm: rules.default({}) });

/**
 * The default rules of a merchant's mapping: the fields that the reference marks as required (S2S CARD, SALE and DEBIT; S2S APM, SALE). Fields
 * that are not here are optional.
 */
export const DEFAULT_PAYER_RULES = {
  card: {
    payer_first_name: 'required',
    payer_last_name: 'required',
    payer_address: 'required',
    payer_country: 'required',
    payer_city: 'required',
    payer_zip: 'required',
    payer_email: 'required',
    payer_phone: 'required',
    payer_ip: 'required',
  },
  debit: { payer_ip: 'required' },
  apm: { payer_ip: 'required' },
} as const satisfies z.output<typeof payerFieldsSchema> & { readonly debit: z.output<typeof rules> };

export const httpUrl = z.url({ protocol: /^https?$/ });

/** The one to sign with. @example newest(merchant.password) */
export function newest(secret: string | readonly string[]): string {
  const [first = ''] = [secret].flat();
  return first;
}

const currencyCode = z.string().refine((code) => currency(code) !== undefined, 'This is no currency.');

/** One provider account: which connector speaks to it, its credentials, and the values it supplies for methods. */
export const midSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Use lower-case letters, digits and "-".')
    .describe(
      'The MID’s name, also in the address for notifications, `/notify/<id>`. It belongs to one connector for ever.',
    ),
  connector: z.string().describe('The id of an installed connector.'),
  settings: valuesWithSecrets.describe('The addresses and credentials that the connector asks for.'),
  defaults: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .default({})
    .describe('Values for method parameters that a request leaves out: method → parameter → value. Default: none.'),
  channels: z
    .array(z.string().min(1).max(16))
    .default([])
    .describe(
      'The values of `channel_id` that lead to this MID. A request without `channel_id` reaches every MID. Default: none.',
    ),
  test: z
    .boolean()
    .optional()
    .describe(
      '`true`: only for test keys. Tests of a method that has such a MID go to no other MID. `false`: never for test keys. Default: for both.',
    ),
  mode: z
    .enum(['SMS', 'DMS', 'SMS/DMS'])
    .default('SMS/DMS')
    .describe('`SMS` takes sales, `DMS` authorizations (`auth` of a purchase).'),
  cardOnFile: z
    .boolean()
    .default(false)
    .describe(
      '`true`: the account supports Card-on-File (protocol: card_on_file_support). A saved card may be charged later, and the merchant receives a `recurring_token` for it.',
    ),
  currencies: z
    .array(currencyCode)
    .min(1)
    .optional()
    .describe('Currencies that this account accepts. Default: all of its methods.'),
  limits: z
    .record(z.string(), z.array(limitRowSchema))
    .default({})
    .describe(
      'Limits per method, which override the method’s own: method → rows. The first match wins. Default: the method’s own.',
    ),
  cardBrands: z
    .array(z.enum(ALL_BRANDS))
    .min(1)
    .optional()
    .describe('Card networks that this account accepts. Default: all that the page knows.'),
  linkTarget: z
    .enum(['_blank', '_self', '_parent', '_top'])
    .optional()
    .describe(
      'Where links back to the shop open. It overrides the request’s `url_target`. Default: as the request says, else `_self`.',
    ),
});

const titleText = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((text) => isCleanText(text), TEXTS.characters);

/** A method that a merchant offers, under its own key or under an alias. */
const methodConfigSchema = z.strictObject({
  key: z.string().describe('The key that requests use.'),
  method: z.string().optional().describe('The method behind the key, if the key is an alias. Default: the key.'),
  mid: z
    .union([z.string(), z.array(z.string()).min(1)])
    .describe('The MID that serves the method. Of several, the first that accepts the request.'),
  title: z
    .union([titleText, z.object({ en: titleText }).catchall(titleText)])
    .optional()
    .describe(
      'The name that payers read: a text, or one for each language with `en` among them. Two methods of one order with the same title are refused. Default: the method’s own.',
    ),
  required: z
    .array(z.string())
    .optional()
    .describe('Optional parameters or session paths that this merchant must send. Default: none.'),
  strict_documents: z
    .boolean()
    .optional()
    .describe('`true`: refuses documents with wrong check digits. Default: `false`, which only warns.'),
  limits: z
    .array(limitRowSchema)
    .default([])
    .describe('Limits of this merchant, which override those of the MID. The first match wins. Default: the MID’s.'),
  commissions: z
    .array(commissionRowSchema)
    .default([])
    .describe(
      'The commission that the payer of a [`DEBIT2VIRTUAL`](server-to-server.md#debit2virtual) pays on top, by currency: `percent`, `fixed`, `min`, `max`. The first row in the currency applies. Default: no commission.',
    ),
});

/** Scheme, host and port alone, because a header carries it. */
const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;

const PASSWORD_HINT = 'Give a password, or [new, old].';
const WHSEC = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;
const SECRET_HINT = 'Use "whsec_" followed by 24 to 64 bytes in Base64, or [new, old].';

const webhookSecrets = secretValues(z.string().regex(WHSEC, SECRET_HINT), SECRET_HINT);

/** A key with which a merchant's server signs its requests, in their headers. */
const requestKeySchema = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'Use letters, digits, "-" and "_".')
    .describe('The key’s name, which requests carry in `request-key`.'),
  secret: webhookSecrets.describe(
    '`whsec_` and 24 to 64 bytes in Base64. Of two secrets, requests may be signed with either.',
  ),
  permissions: z
    .array(z.enum(PERMISSIONS))
    .min(1)
    .describe(
      '`create`: sessions, captures, charges and retries. `read`: the status of payments. `refund`: refunds and voids. `pay-out`: every payout.',
    ),
});

const BIN_FORM = 'Use the first 6 to 11 digits of the numbers.';
const bin = z.string().regex(/^[1-9]\d{5,10}$/, BIN_FORM);

/** A range of card numbers that carry several networks. No public table lists them: the acquirer or a BIN service tells them. */
const coBrandsSchema = z
  .strictObject({
    from: bin.describe('The first digits of the lowest number: 6 to 11 digits.'),
    to: bin.describe('The first digits of the highest number: as many digits.'),
    brands: z
      .array(z.enum(ALL_BRANDS))
      .min(2, 'Name two networks or more.')
      .refine((brands) => new Set(brands).size === brands.length, 'Name each network once.')
      .describe('The networks of these cards. The first is preselected, and the payer may choose another.'),
  })
  .refine(({ from, to }) => from.length === to.length && from <= to, {
    path: ['to'],
    error: 'Use as many digits as in "from", and no lower number.',
  })
  .refine(({ from, to, brands }) => [from, to].every((digits) => isAmong(brandOf(digits)?.name, brands)), {
    path: ['brands'],
    error: 'Name the network that the first digits show, too.',
  });

const isAmong = (name: string | undefined, brands: readonly string[]): boolean =>
  name === undefined || brands.includes(name);

/** Padded to the longest, so that ranges of different lengths can be compared. */
const reach = ({ from, to }: { readonly from: string; readonly to: string }) =>
  [from.padEnd(11, '0'), to.padEnd(11, '9')] as const;

/** Every page with a card form has them. */
const MOST_CO_BRANDS = 200;

/** A number that lies in two ranges would have two answers. */
const coBrandsList = z
  .array(coBrandsSchema)
  .max(MOST_CO_BRANDS, `List ${MOST_CO_BRANDS} ranges or fewer.`)
  .check(({ value, issues }) => {
    for (const [index, each] of value.entries()) {
      const [from, to] = reach(each);
      const before = value.slice(0, index).findIndex((other) => {
        const [otherFrom, otherTo] = reach(other);
        return from <= otherTo && otherFrom <= to;
      });
      if (before >= 0)
        issues.push({
          code: 'custom',
          input: each,
          path: [index],
          message: `Overlaps the range ${before} of this list. Give each number to one range.`,
        });
    }
  });

const colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'Use a colour such as "#0b6b57".');

/** Larger images would delay every page. */
const MOST_OF_LOGO = 65_536;

/** The look of the payment page: a closed list, so that every setting leaves the page readable. */
export const brandingSchema = z.strictObject({
  logo: z
    .string()
    .max(MOST_OF_LOGO)
    .regex(
      /^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/,
      'Use an image as a "data:" address: image/png, image/jpeg, image/webp or image/svg+xml, in Base64.',
    )
    .optional()
    .describe(
      'An image above the merchant’s name, as a `data:` address of at most 64 KB in Base64: PNG, JPEG, WebP or SVG. Default: none.',
    ),
  button: colour
    .optional()
    .describe('The colour of the main button, such as `#0b6b57`. Its text is black or white. Default: the page’s own.'),
  background: colour
    .optional()
    .describe(
      'The colour behind the form, such as `#f4f5f3`, by day and by night. The text on it is black or white. Default: the page’s own.',
    ),
  summary: z
    .enum(['beside', 'above'])
    .optional()
    .describe('Where a wide screen shows the order: `beside` the form or `above` it. Default: `beside`.'),
});

export type Branding = z.output<typeof brandingSchema>;

const formId = z.uuid('Use a UUID.').transform((id) => id.toLowerCase());

const NO_FIELD = 'There is no such field to switch on. Use the names that docs/callbacks.md lists.';

const requestKeysSchema = z.array(requestKeySchema).max(10).default([]);

/** The secrets and addresses of the test key, in place of the merchant's own. */
const testSchema = z.strictObject({
  password: secretValues(z.string().min(1, PASSWORD_HINT), PASSWORD_HINT).describe(
    'The password of tests. It differs from the merchant’s own.',
  ),
  callbackUrl: httpUrl.optional().describe('Where callbacks of tests go. Default: none are sent.'),
  callbackSecret: webhookSecrets
    .optional()
    .describe('The secret of tests’ callbacks, not the merchant’s own. Required with `callbackUrl`. Default: none.'),
  requestKeys: requestKeysSchema.describe(
    'The request keys of tests. Their secrets differ from the merchant’s own. Default: none.',
  ),
});

export const merchantSchema = z.strictObject({
  key: z.string().min(1).describe('`merchant_key` of requests.'),
  testKey: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The `merchant_key` of test requests. The service marks each session and payment of this key as a test. Default: no tests.',
    ),
  test: testSchema
    .optional()
    .describe(
      'The test key’s own secrets and callback address. None is inherited from the live key. Required with `testKey`. Default: none.',
    ),
  name: z.string().min(1).describe('The name that payers see.'),
  password: secretValues(z.string().min(1, PASSWORD_HINT), PASSWORD_HINT).describe(
    'The secret of the protocol’s hash, 16 characters or more. Of two, requests may be signed with either, and callbacks are signed with the first.',
  ),
  weakPassword: z
    .boolean()
    .default(false)
    .describe(
      '`true`: accepts passwords of fewer than 16 characters. For demos and recorded requests, never for money.',
    ),
  requestKeys: requestKeysSchema.describe(
    'The keys that sign requests in their headers, each with `id`, `secret` and `permissions`. Default: none.',
  ),
  legacySignatures: z
    .enum(['none', 'money-in', 'money-out'])
    .default('money-in')
    .describe(
      'The requests that may be signed by the hash alone. `money-in`: all but payouts. `money-out`: payouts too, from `legacyAddresses`. `none`: no request.',
    ),
  legacyAddresses: z
    .array(z.string().refine(isAddressRange, 'Use an address or a CIDR range.'))
    .default([])
    .describe(
      'With `legacySignatures: money-out`: the addresses and CIDR ranges from which payouts may be signed by the hash alone. Default: none.',
    ),
  moneyOut: z
    .boolean()
    .default(false)
    .describe('`true`: accepts payouts: credits, transfers and payouts to cards and accounts.'),
  digest: z
    .enum(['md5', 'sha256', 'both'])
    .default('md5')
    .describe('The inner digest of the hash. `both` accepts either.'),
  callbackUrl: httpUrl.optional().describe('Where callbacks go. Default: none are sent.'),
  callbackSecret: webhookSecrets
    .optional()
    .describe(
      'The secret of the callbacks’ signature: `whsec_` and 24 to 64 bytes in Base64. Of two secrets, callbacks carry a signature of each. Required with `callbackUrl`. Default: none.',
    ),
  callbackFormat: z.enum(['form', 'json']).default('form').describe('The format of a callback’s body.'),
  callbackData: z
    .array(z.enum(CALLBACK_DATA, NO_FIELD))
    .default([])
    .describe(
      'Fields that callbacks carry beyond the usual ones, [each by its name](callbacks.md#fields). Default: none.',
    ),
  payerFields: payerFieldsSchema
    .prefault({})
    .describe(
      'The `payer_…` fields that server-to-server commands must carry: `card` and `apm`, field → `required` or `optional`. Default: [by field](server-to-server.md#the-payer).',
    ),
  names: z
    .enum(['any', 'latin'])
    .default('any')
    .describe(
      'The letters that payers’ names may have. `any`: letters of every script, passed on as written. `latin`: basic Latin letters alone; the page writes José as Jose.',
    ),
  methods: z
    .array(methodConfigSchema)
    .min(1)
    .describe(
      'The methods that the merchant offers, in the order in which payers see them. Methods of the payer’s own country come first, unless the request or a rule names methods in its order.',
    ),
  rules: z
    .array(routingRuleSchema)
    .default([])
    .describe('Which methods the page offers when the request has no `methods`. The first match wins. Default: all.'),
  returnData: z
    .array(z.enum(['payment_method', 'brand', 'checkout_payment_method']))
    .default([])
    .describe('Parameters that `success_url` and `cancel_url` carry beyond the usual ones. Default: none.'),
  returnHash: z
    .boolean()
    .default(true)
    .describe('`false`: `success_url` and `cancel_url` carry no legacy `hash`, only the signed `state`.'),
  statusData: z
    .array(z.enum(STATUS_DATA, NO_FIELD))
    .default([])
    .describe(
      'Fields that answers of the status lookups carry beyond the usual ones, [each by its name](callbacks.md#fields). `card`: the masked card and its expiry date. Default: none.',
    ),
  wallets: z
    .record(z.string(), valuesWithSecrets)
    .default({})
    .describe('Settings of [digital wallets](wallets.md): method → settings. Default: none.'),
  partialApproval: z
    .enum(['give-back', 'accept', 'ask'])
    .default('give-back')
    .describe(
      'What happens when a provider approves less than the amount. `give-back`: the service gives the part back, and the payment is declined once the provider has confirmed that. `accept`: the payment is settled with the part, and `approved_amount` says how much. `ask`: the payment stays pending until a capture, a void or an operator decides.',
    ),
  paidTwice: z
    .enum(['give-back', 'ask'])
    .default('give-back')
    .describe(
      'What happens when a payer has paid one session twice. `give-back`: the service voids or refunds the second payment by itself. `ask`: it tells an operator.',
    ),
  maxDeclines: z
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('The number of declined attempts after which the page sends the payer to `cancel_url`.'),
  frameOrigins: z
    .array(z.string().refine(isOrigin, 'Use an origin, such as "https://shop.example".'))
    .default([])
    .describe('Origins whose pages may show the payment page in a frame. Default: none.'),
  fieldOrigins: z
    .array(z.string().refine(isOrigin, 'Use an origin, such as "https://shop.example".'))
    .default([])
    .describe(
      'Origins whose pages may hold [hosted payment fields](hosted-fields.md), and may send the payment from the browser. Default: none.',
    ),
  coBrands: coBrandsList
    .default([])
    .describe(
      'Ranges of card numbers that carry [several networks](cards.md#co-branded-cards), among which the payer chooses; at most 200. Default: none, and no payer is asked.',
    ),
  branding: brandingSchema.default({}).describe('The [look of the payment page](#branding). Default: the page’s own.'),
  forms: z
    .record(formId, brandingSchema)
    .default({})
    .describe(
      'Custom payment forms, which requests choose by `form_id`: UUID → settings of [`branding`](#branding), each of which replaces the merchant’s. Default: none, and a `form_id` is refused.',
    ),
  vat: z
    .record(
      z.string().refine((code) => countryCodes.has(code), 'Use a country code such as "DE".'),
      z.string().regex(SHARE, PERCENTAGE_HINT),
    )
    .default({})
    .describe(
      'Rates of value-added tax in percent, for requests with `vat_calc`: country of the payer → rate, such as `{ "DE": "19" }`. A country without tax has the rate `"0"`. Default: none, and `vat_calc` is refused.',
    ),
  timeZone: z
    .string()
    .refine((name) => isTimeZone(name), 'Use a time zone of the IANA database, such as "Europe/Berlin".')
    .default('UTC')
    .describe('The time zone in which recurring schedules count days, by its name in the IANA database.'),
  catchUp: z
    .enum(CATCH_UPS)
    .default('latest')
    .describe(
      'Which due days a recurring schedule charges that it missed while the service was down. Each other missed day is called back as skipped.',
    ),
  cascading: z
    .boolean()
    .default(false)
    .describe('`true`: tries a payment that one MID declined softly at the method’s next MID that accepts it.'),
  cascadingContext: z
    .boolean()
    .default(false)
    .describe(
      '`true`: a status lookup of a payment that was tried at several MIDs reports the newest that is not declined, else the newest. `false`: the payment that it names.',
    ),
});

/** Merchants and MIDs: the part of a configuration that can change while the service runs. */
export const catalogueSchema = z.strictObject({
  mids: z.array(midSchema).min(1),
  merchants: z.array(merchantSchema).min(1),
});

export type MerchantConfig = z.output<typeof merchantSchema>;
export type RequestKey = MerchantConfig['requestKeys'][number];
export type MidConfig = z.output<typeof midSchema>;
export type MethodConfig = MerchantConfig['methods'][number];
export type Catalogue = z.output<typeof catalogueSchema>;
/** As a deployment writes it: secrets as texts or references, defaults left out. */
export type GivenCatalogue = z.input<typeof catalogueSchema>;

/** A configuration that cannot be run; the message lists every problem with its path. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((each) => `  - ${each}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Each problem with its path. A missing value is often a secret whose environment variable is not set. */
export function problemsOf(error: z.ZodError, prefix = ''): string[] {
  return error.issues.map(({ path, message }) => {
    const missing = message.endsWith('received undefined');
    return `${prefix}${path.join('.')}: ${missing ? 'is missing (is the environment variable set?).' : message}`;
  });
}

export type ReadCatalogue =
  | {
      readonly ok: true;
      readonly catalogue: Catalogue;
      /** As it was given and as it is stored: JSON. */
      readonly given: GivenCatalogue;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

type Input = { readonly mids: unknown; readonly merchants: unknown };

/** Reads merchants and MIDs: the shape of everything, and each MID's settings by its connector. All problems at once. */
export function readCatalogue(input: Input, connectors: readonly Connector[], network: CallbackNetwork): ReadCatalogue {
  const given = asJson(input);
  if (given === undefined)
    return { ok: false, problems: ['mids and merchants must be JSON: texts, numbers, lists and objects.'] };
  const parsed = catalogueSchema.safeParse(given);
  const addresses = parsed.success ? addressProblems(parsed.data, network) : [];
  if (parsed.success && addresses.length === 0) return { ok: true, catalogue: parsed.data, given };
  // Problems in the settings of the MIDs are reported too, so that all of them appear at once.
  const shape = parsed.success ? addresses : problemsOf(parsed.error);
  return { ok: false, problems: [...shape, ...settingsProblems(given, connectors)] };
}

/** The process uses exactly the values that the database stores, so it converts them to JSON and back at once. */
function asJson({ mids, merchants }: Input): GivenCatalogue | undefined {
  try {
    return JSON.parse(JSON.stringify({ mids, merchants }));
  } catch {
    return undefined;
  }
}

function addressProblems({ merchants }: Catalogue, network: CallbackNetwork): string[] {
  return merchants.flatMap(({ callbackUrl, test }, index) => {
    const given = { callbackUrl, 'test.callbackUrl': test?.callbackUrl };
    return Object.entries(given).flatMap(([place, url]) => {
      // A value that is not an address has been reported already.
      const readable = httpUrl.safeParse(url).data;
      const problem = readable === undefined ? undefined : addressProblem(readable, network);
      return problem === undefined ? [] : [`merchants.${index}.${place}: ${problem}`];
    });
  });
}

function settingsProblems({ mids }: GivenCatalogue, connectors: readonly Connector[]): string[] {
  if (!Array.isArray(mids)) return [];
  return mids.flatMap((mid, index) => {
    const settings = valuesWithSecrets.safeParse(mid?.settings);
    const connector = connectors.find((each) => each.id === mid?.connector);
    const parsed = settings.success ? connector?.settings.safeParse(settings.data) : undefined;
    return parsed?.success === false ? problemsOf(parsed.error, `mids.${index}.settings.`) : [];
  });
}
