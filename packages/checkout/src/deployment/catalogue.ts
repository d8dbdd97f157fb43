import { compareMoney, currency, currency as findCurrency, parseMoney, type Connector } from '@railyard/core';
import { CATCH_UPS } from '@railyard/core/protocol';
import { limitRowSchema, routingRuleSchema } from '@railyard/core/registry';
import * as z from 'zod';
import { ALL_BRANDS } from '../rules/browser/card-rules.js';
import { addressProblem, isAddressRange, type CallbackNetwork } from './addresses.ts';
import { isTimeZone } from './time-zones.ts';
import { secretValues, valuesWithSecrets } from '../secrets/index.ts';
import {
  byName,
  MODIFICATION_NAMES,
  MODIFICATION_ROUTES,
  MODIFICATIONS,
  type ModificationAction,
  type ModificationPath,
  modificationWith,
  OPTIONAL_FIELDS,
  PAYER_FIELDS,
} from '@railyard/core/payment';

/** Whatever a merchant can switch on for callbacks ("Add data to callback"): one field each. */
export const CALLBACK_DATA = [...OPTIONAL_FIELDS, 'extended_data'] as const;

/** The same for answers of the status lookups ("Add data to get status response"); `card`: the masked card and its expiry date. */
export const STATUS_DATA = [...CALLBACK_DATA, 'card'] as const;

export type CallbackData = (typeof CALLBACK_DATA)[number];
export type StatusData = (typeof STATUS_DATA)[number];

/** A percentage from 0 to 100, with up to four decimals. */
const SHARE = /^(?:100|\d{1,2}(?:\.\d{1,4})?)$/;

/** One row of a method's commissions: what the payer pays on top of an amount in this currency. */
export const commissionRowSchema = z
  .strictObject({
    currency: z
      .string()
      .refine((code) => findCurrency(code) !== undefined, 'This is no currency.')
      .describe('The currency of the row; an amount in another one has no commission by it.'),
    percent: z
      .string()
      .regex(SHARE, 'Use a percentage of up to four decimals, such as "1.25".')
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
const rules = z.partialRecord(z.enum(PAYER_FIELDS), z.enum(['required', 'optional']));

/** The rules of a merchant's mapping, by protocol (protocol: S2S CARD payer fields). */
export const payerFieldsSchema = z.strictObject({ card: rules.default({}), apm: rules.default({}) });

/**
 * The rules unless a merchant's mapping says otherwise: what the reference marks as required (S2S CARD, SALE and DEBIT; S2S APM, SALE). Fields
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
    .describe('Its name; also in the address for notifications, `/notify/<id>`. It stays with one connector for ever.'),
  connector: z.string().describe('The id of an installed connector.'),
  settings: valuesWithSecrets.describe('What the connector asks for: addresses and credentials.'),
  defaults: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .default({})
    .describe(
      'Values of method parameters that are used when a request does not carry them: method → parameter → value.',
    ),
  channels: z
    .array(z.string().min(1).max(16))
    .default([])
    .describe('The values of `channel_id` that lead here. A request without one reaches every MID.'),
  test: z
    .boolean()
    .optional()
    .describe(
      '`true`: only for test keys; a method that has such a MID sends its tests nowhere else. `false`: never for test keys. For both unless given.',
    ),
  mode: z
    .enum(['SMS', 'DMS', 'SMS/DMS'])
    .default('SMS/DMS')
    .describe('`SMS` takes sales, `DMS` authorizations (`auth` of a purchase).'),
  cardOnFile: z
    .boolean()
    .default(false)
    .describe(
      'The account supports Card-on-File (protocol: card_on_file_support): a card that is saved may be charged later, and the merchant receives a `recurring_token` for it.',
    ),
  currencies: z
    .array(currencyCode)
    .min(1)
    .optional()
    .describe('Of the methods’ currencies, those that this account takes; all of them unless given.'),
  limits: z
    .record(z.string(), z.array(limitRowSchema))
    .default({})
    .describe(
      'Method → rows that stand before the method’s own limits. The first row that fits decides, so one can narrow and widen.',
    ),
  cardBrands: z
    .array(z.enum(ALL_BRANDS))
    .min(1)
    .optional()
    .describe('The card networks that this account takes; all that the page knows unless given.'),
  linkTarget: z
    .enum(['_blank', '_self', '_parent', '_top'])
    .optional()
    .describe('Where links back to the shop open, in place of the request’s `url_target`.'),
});

/** A method that a merchant offers, under its own key or under an alias. */
const methodConfigSchema = z.strictObject({
  key: z.string().describe('The key that requests use.'),
  method: z.string().optional().describe('The method behind it, if the key is an alias.'),
  mid: z
    .union([z.string(), z.array(z.string()).min(1)])
    .describe('The MID that serves it, or several: the first that takes the request does.'),
  required: z.array(z.string()).optional().describe('Optional parameters or session paths that are required here.'),
  strict_documents: z.boolean().optional().describe('Wrong check digits of documents are refused, not only warned of.'),
  limits: z.array(limitRowSchema).default([]).describe('Rows that stand before those of the MID.'),
  commissions: z
    .array(commissionRowSchema)
    .default([])
    .describe(
      'What the payer of a [`DEBIT2VIRTUAL`](server-to-server.md#debit2virtual) pays on top, by currency: `percent`, `fixed`, `min`, `max`. The first row in the currency holds; without one it is nothing.',
    ),
});

/** Nothing but scheme, host and port: it stands in a header. */
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
    .describe('Its name, which requests carry in `request-key`.'),
  secret: webhookSecrets.describe('`whsec_` and 24 to 64 bytes in Base64; requests are accepted with either of two.'),
  permissions: z
    .array(z.enum(PERMISSIONS))
    .min(1)
    .describe(
      '`create`: sessions, captures, charges and retries; `read`: how payments stand; `refund`: refunds and voids; `pay-out`: whatever pays out.',
    ),
});

const NO_FIELD = 'There is no such field to switch on. Use the names that docs/callbacks.md lists.';

const requestKeysSchema = z.array(requestKeySchema).max(10).default([]);

/** The secrets and addresses of the test key, in place of the merchant's own. */
const testSchema = z.strictObject({
  password: secretValues(z.string().min(1, PASSWORD_HINT), PASSWORD_HINT).describe(
    'As the merchant’s own; another one.',
  ),
  callbackUrl: httpUrl.optional().describe('Where callbacks of tests go. Without it none are sent.'),
  callbackSecret: webhookSecrets.optional().describe('As the merchant’s own; another one.'),
  requestKeys: requestKeysSchema.describe('As the merchant’s own, with other secrets.'),
});

export const merchantSchema = z.strictObject({
  key: z.string().min(1).describe('`merchant_key` of requests.'),
  testKey: z.string().min(1).optional().describe('With this key everything is marked as a test.'),
  test: testSchema
    .optional()
    .describe(
      'The secrets and the callback address of the test key, which needs its own. What is not given is not there.',
    ),
  name: z.string().min(1).describe('What payers see.'),
  password: secretValues(z.string().min(1, PASSWORD_HINT), PASSWORD_HINT).describe(
    'The secret of the protocol’s hash, 16 characters or more; requests are accepted with either of two, callbacks are signed with the first.',
  ),
  weakPassword: z
    .boolean()
    .default(false)
    .describe('`true`: takes passwords of fewer than 16 characters. For demos and recorded requests, never for money.'),
  requestKeys: requestKeysSchema.describe(
    'What requests are signed with in their headers: `id`, `secret` and `permissions` of each key.',
  ),
  legacySignatures: z
    .enum(['none', 'money-in', 'money-out'])
    .default('money-in')
    .describe(
      'What the hash alone may sign. `money-in`: whatever does not pay out. `money-out`: payouts too, from `legacyAddresses`. `none`: nothing.',
    ),
  legacyAddresses: z
    .array(z.string().refine(isAddressRange, 'Use an address or a CIDR range.'))
    .default([])
    .describe(
      'With `legacySignatures: money-out`: the addresses and CIDR ranges that payouts signed by a hash come from.',
    ),
  moneyOut: z
    .boolean()
    .default(false)
    .describe('`true`: the merchant pays out: credits, transfers and payouts to cards and accounts are accepted.'),
  digest: z.enum(['md5', 'sha256', 'both']).default('md5').describe('Inner digest of the hash; `both` accepts either.'),
  callbackUrl: httpUrl.optional().describe('Where callbacks go. Without it none are sent.'),
  callbackSecret: webhookSecrets
    .optional()
    .describe(
      'The secret of the callbacks’ signature: `whsec_` and 24 to 64 bytes in Base64. Of two, callbacks carry a signature each.',
    ),
  callbackFormat: z.enum(['form', 'json']).default('form').describe('How callbacks are written.'),
  callbackData: z
    .array(z.enum(CALLBACK_DATA, NO_FIELD))
    .default([])
    .describe('Fields that callbacks carry beyond the usual ones, [each by its name](callbacks.md#fields).'),
  payerFields: payerFieldsSchema
    .prefault({})
    .describe(
      'Which `payer_…` fields server-to-server commands must carry: `card` and `apm`, field → `required` or `optional`. [The defaults](server-to-server.md#the-payer).',
    ),
  names: z
    .enum(['any', 'latin'])
    .default('any')
    .describe(
      'The letters of names. `any`: a payer’s of every script, passed on as written. `latin`: basic Latin letters alone; the page writes José as Jose.',
    ),
  methods: z
    .array(methodConfigSchema)
    .min(1)
    .describe('What the merchant offers, in the order in which payers see it.'),
  rules: z
    .array(routingRuleSchema)
    .default([])
    .describe(
      'Pre-routing: which methods are seen where a request names none. The first rule that fits decides; without one all are seen.',
    ),
  returnData: z
    .array(z.enum(['payment_method', 'brand', 'checkout_payment_method']))
    .default([])
    .describe('What `success_url` and `cancel_url` carry beyond the usual parameters.'),
  returnHash: z
    .boolean()
    .default(true)
    .describe('`false`: `success_url` and `cancel_url` carry no legacy `hash`; `state`, which says more, stays.'),
  statusData: z
    .array(z.enum(STATUS_DATA, NO_FIELD))
    .default([])
    .describe(
      'Fields that answers of the status lookups carry beyond the usual ones, [each by its name](callbacks.md#fields); `card`: the masked card and its expiry date.',
    ),
  wallets: z
    .record(z.string(), valuesWithSecrets)
    .default({})
    .describe('Digital wallets: method → its settings. [Which there are](wallets.md).'),
  partialApproval: z
    .enum(['give-back', 'accept', 'ask'])
    .default('give-back')
    .describe(
      'Where a provider approves less than the amount. `give-back`: it goes back, and the payment is declined once the provider has confirmed that. `accept`: the payment is settled with it, `approved_amount` says how much. `ask`: it stays pending until a capture, a void or an operator decides.',
    ),
  paidTwice: z
    .enum(['give-back', 'ask'])
    .default('give-back')
    .describe(
      'Where a payer has paid a session by two payments. `give-back`: the service voids or refunds the second one by itself. `ask`: it tells an operator.',
    ),
  maxDeclines: z
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('Declined attempts after which the payer is sent to `cancel_url`.'),
  frameOrigins: z
    .array(z.string().refine(isOrigin, 'Use an origin, such as "https://shop.example".'))
    .default([])
    .describe('Origins whose pages may show the payment page in a frame; none unless given.'),
  timeZone: z
    .string()
    .refine((name) => isTimeZone(name), 'Use a time zone of the IANA database, such as "Europe/Berlin".')
    .default('UTC')
    .describe('The time zone in which recurring schedules count their days, by its name in the IANA database.'),
  catchUp: z
    .enum(CATCH_UPS)
    .default('latest')
    .describe(
      'Which due days of recurring schedules are charged that passed while the service was down: `all`, `latest` or `none`. The others are called back as skipped.',
    ),
  cascading: z
    .boolean()
    .default(false)
    .describe('`true`: what one MID declines softly is tried at the next MID of the method that takes it.'),
  cascadingContext: z
    .boolean()
    .default(false)
    .describe('`true`: the status of a payment that was tried at further MIDs is that of its newest payment.'),
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

/** Each problem with its path. What is missing is often a secret whose environment variable is not set. */
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

/** The process uses exactly what the database stores, so values are converted to JSON and back at once. */
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
