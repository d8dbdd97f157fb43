import { TEXTS, type Operation } from '@railyard/core';
import { THREE_D_SECURE_FIELDS } from '@railyard/core/payment';
import { cardDigits, issue, type Issue, type ParseSessionOptions, type SessionRequest } from '@railyard/core/protocol';
import * as z from 'zod';
import { brandOf, cvvProblem, digitsOf } from '../../rules/browser/card-rules.js';
import { orderDescription, positiveAmount, requiredText } from '../basics/call.ts';
import { DEFAULT_PAYER_RULES, type MerchantConfig } from '../../deployment/catalogue.ts';
import type { AcceptedCommand } from '../../sessions/session.ts';
import { withoutPostcodes } from '../../sessions/payer-input.ts';
import { signedFields } from './command.ts';
import type { CommandDeps } from '../deps.ts';
import type { Merchant } from '../../merchants/directory.ts';
import { addressProblem } from '../../deployment/addresses.ts';

/**
 * Problems with the address of this payment's callbacks (reference: callback_url): the rules for the merchant's own address
 * apply, and the merchant needs a secret to sign the callbacks.
 */
export function callbackUrlIssues(
  { config }: CommandDeps,
  { config: merchant }: Merchant,
  { callback_url }: { readonly callback_url?: string | undefined },
): Issue[] {
  if (callback_url === undefined) return [];
  if (addressProblem(callback_url, config.callbackNetwork) !== undefined) return [issue('callback_url', TEXTS.url)];
  return merchant.callbackSecret === undefined ? [issue('callback_url', NO_SECRET)] : [];
}

const NO_SECRET = 'Callbacks are signed, and this merchant has no secret for callbacks.';

/** A part of a person's name: any letters (reference: S2S APM, SALE; the session's Latin letters are the page's rule). */
export const namePart = requiredText.max(32, TEXTS.tooLong(32));

/** The fields of the payer that a session has no place for, and where they are on the internet; the others go where `SESSION_PATHS` says. */
export const payerFields = {
  payer_first_name: namePart.describe('First name of the payer.').optional(),
  payer_middle_name: namePart.describe('Middle name of the payer.').optional(),
  payer_last_name: namePart.describe('Last name of the payer.').optional(),
  payer_address2: requiredText.describe('Second line of the payer’s address.').optional(),
  payer_ip: z.union([z.ipv4(), z.ipv6()], { error: TEXTS.ip }).describe('IP address of the payer.').optional(),
};

/** The name of who is paid. */
export const payeeNames = {
  payee_first_name: namePart.describe('First name of the payee.').optional(),
  payee_middle_name: namePart.describe('Middle name of the payee.').optional(),
  payee_last_name: namePart.describe('Last name of the payee.').optional(),
};

/** Nested values in brackets. */
export const nested = z.record(z.string(), z.unknown(), TEXTS.type('object'));

/** The digits of an amount; of which currency they are, and whether it may be zero, is known later. */
const amount = requiredText.regex(/^-?(0|[1-9]\d*)(\.\d+)?$/, TEXTS.notValid);

/** An address that the payer comes back to, or the name of a browsing context. */
const longText = requiredText.or(z.string()).pipe(z.string().min(1, TEXTS.blank).max(1024, TEXTS.tooLong(1024)));

export const flag = z.enum(['Y', 'N', 'true', 'false'], TEXTS.choice);

export const isSet = (value: string | undefined): boolean => value === 'Y' || value === 'true';

/** The card itself; each part is there, or a token in its place (reference: SALE). */
export const cardFields = {
  card_number: requiredText.describe('The number of the card. Goes before `card_token`.').optional(),
  card_exp_month: requiredText
    .regex(/^(0[1-9]|1[0-2])$/, TEXTS.notValid)
    .describe('The month in which the card expires, `01`.')
    .optional(),
  card_exp_year: requiredText
    .regex(/^20\d\d$/, TEXTS.notValid)
    .describe('The year in which the card expires, `2038`.')
    .optional(),
  card_cvv2: requiredText
    .regex(/^\d{3,4}$/, TEXTS.notValid)
    .describe('The security code. Required with `card_number`, unless such cards have none.')
    .optional(),
  /** As a client of the protocol calls it. */
  cvv2: requiredText
    .regex(/^\d{3,4}$/, TEXTS.notValid)
    .describe('Another name of `card_cvv2`.')
    .optional(),
  card_token: requiredText
    .length(64, TEXTS.exactLength(64))
    .describe('A saved card, in place of the card’s number.')
    .optional(),
};

/** Who asks for what. */
export const orderFields = {
  client_key: signedFields.client_key,
  channel_id: requiredText.max(16, TEXTS.tooLong(16)).describe('Leads to the MIDs of that channel.').optional(),
  order_id: requiredText.describe('The merchant’s number of the order; unique for 15 seconds.'),
  order_amount: amount.describe('The amount, `10.00`.'),
  order_currency: requiredText.describe('The currency of the amount.'),
  order_description: orderDescription,
};

/** The merchant's own fields. */
export const ownFields = {
  callback_url: requiredText
    .describe('Where callbacks of this payment go. Default: the merchant’s `callbackUrl`.')
    .optional(),
  parameters: nested.describe('What the method needs beyond these fields: `parameters[name]`.').optional(),
  custom_data: nested.describe('The merchant’s own data; callbacks repeat it: `custom_data[name]`.').optional(),
  hash: signedFields.hash,
};

/** Where the payer of a card comes back to, and in which browsing context. */
export const returnFields = {
  term_url_3ds: longText.describe('Where the payer comes back to.'),
  term_url_target: longText.describe('The browsing context in which it opens. Default: `_top`.').optional(),
};

/** The method of a command of S2S APM. */
export const brand = requiredText.max(36, TEXTS.tooLong(36)).describe('The method’s key.');

export const cryptoNetwork = requiredText.max(50, TEXTS.tooLong(50)).describe('The network of the coins.').optional();

/** The result of 3-D Secure at the merchant's own MPI, under the names that callbacks report it by (protocol: 3DS attributes). */
const authenticationFields = Object.fromEntries(
  THREE_D_SECURE_FIELDS.map((name) => [
    name,
    requiredText.describe('Of the result of 3-D Secure at the merchant’s own MPI.').optional(),
  ]),
);

/** 20 bytes in Base64 (EMV 3-D Secure: authenticationValue). No answer and no callback says it. */
const cavv = requiredText
  .regex(/^[A-Za-z0-9+/]{27}=$/, TEXTS.notValid)
  .describe('The CAVV of that result, 20 bytes in Base64. With it the payer is asked for no 3-D Secure.');

/** The schedule that charges later payments; their rules are the session's (protocol: schedule_id). */
const scheduleFields = {
  schedule_id: requiredText.describe('The schedule that charges later payments, with `recurring_init`.').optional(),
  schedule_start_date: requiredText.describe('The day of the first charge of the schedule, `YYYY-MM-DD`.').optional(),
  payment_schedule_amount: requiredText
    .describe('The amount of each charge of the schedule, where it is not the order’s.')
    .optional(),
};

/** SALE and DEBIT of S2S CARD. Which fields of the payer are required, the merchant's mapping says beside these. */
export const saleSchema = z.looseObject({
  ...orderFields,
  ...ownFields,
  ...cardFields,
  // A field of our own (docs/cards.md, Co-branded cards).
  card_brand: requiredText
    .max(36, TEXTS.tooLong(36))
    .describe('The network that the payer chose for a co-branded card.')
    .optional(),
  ...returnFields,
  req_token: flag.describe('Asks for a `card_token`.').optional(),
  recurring_init: flag.describe('Begins a mandate for later charges.').optional(),
  ...scheduleFields,
  auth: flag.describe('Holds the money, to be captured later.').optional(),
  payer_present: flag.describe('Whether the payer of a saved card is there.').optional(),
  ...authenticationFields,
  cavv: cavv.optional(),
  digital_wallet: z.enum(['googlepay', 'applepay'], TEXTS.choice).describe('The wallet of `payment_token`.').optional(),
  payment_token: z
    .string()
    .min(1, TEXTS.blank)
    .max(32_768, TEXTS.tooLong(32_768))
    .describe('The token of a wallet: its JSON as text. Accepted once.')
    .optional(),
  ...payerFields,
  payer_email: requiredText.describe('E-mail address of the payer.').optional(),
});

/** The means of a sale must be there whole: a card, a token, or a wallet with its token. */
export function lacksMeans(body: Readonly<Record<string, unknown>>): Issue[] {
  const { card_number, card_token, payment_token, cvv2 } = body;
  const required =
    card_number !== undefined || (card_token === undefined && payment_token === undefined)
      ? [
          'card_number',
          'card_exp_month',
          'card_exp_year',
          // Whether a card has a code, its network says.
          ...(cvv2 === undefined && card_number === undefined ? ['card_cvv2'] : []),
        ]
      : card_token === undefined
        ? ['digital_wallet']
        : [];
  return required.flatMap((name) => (body[name] === undefined ? [issue(name, TEXTS.blank)] : []));
}

/** A wallet's token brings the authentication and the network of its own. */
export const needlessFields = (fields: Pick<SaleFields, 'cavv' | 'card_brand'>, { kind }: Means): Issue[] =>
  kind === 'wallet'
    ? (['cavv', 'card_brand'] as const).flatMap((name) =>
        fields[name] === undefined ? [] : [issue(name, TEXTS.unexpected)],
      )
    : [];

/** The page's rule: some cards have no code. */
export const hasNoCode = (number: unknown): boolean =>
  typeof number === 'string' && cvvProblem('', brandOf(digitsOf(number))?.name) === undefined;

export type SaleFields = z.output<typeof saleSchema>;

/** The means of a sale: card data goes before a token, and a token before a wallet's (reference: Precedence). */
export type Means =
  | {
      readonly kind: 'card';
      readonly number: string;
      readonly month: string;
      readonly year: string;
      readonly cvv: string | undefined;
    }
  | { readonly kind: 'token'; readonly token: string; readonly cvv: string | undefined }
  | { readonly kind: 'wallet'; readonly wallet: string; readonly token: string };

type MeansFields = Partial<Pick<SaleFields, keyof typeof cardFields | 'digital_wallet' | 'payment_token'>>;

export function meansOf(fields: MeansFields): Means {
  const { card_number, card_exp_month: month = '', card_exp_year: year = '', card_token, digital_wallet } = fields;
  const cvv = fields.card_cvv2 ?? fields.cvv2;
  if (card_number !== undefined) return { kind: 'card', number: digitsOf(card_number), month, year, cvv };
  if (card_token !== undefined) return { kind: 'token', token: card_token, cvv };
  return { kind: 'wallet', wallet: digital_wallet ?? '', token: fields.payment_token ?? '' };
}

/** The part of it that the hash covers: digits of the number, or the token; of a wallet nothing (reference: Signatures of S2S CARD, F1, F8). */
export function signedCard({ card_number, card_token }: Pick<MeansFields, 'card_number' | 'card_token'>): string {
  return card_number === undefined ? (card_token ?? '') : cardDigits(card_number);
}

/** Field → its place in a session request. */
export const SESSION_PATHS = {
  order_id: 'order.number',
  order_amount: 'order.amount',
  order_currency: 'order.currency',
  order_description: 'order.description',
  payee_email: 'payee.email',
  payee_country: 'payee_billing_address.country',
  payee_state: 'payee_billing_address.state',
  payee_city: 'payee_billing_address.city',
  payee_district: 'payee_billing_address.district',
  payee_address: 'payee_billing_address.address',
  payee_house_number: 'payee_billing_address.house_number',
  payee_zip: 'payee_billing_address.zip',
  payee_phone: 'payee_billing_address.phone',
  payer_email: 'customer.email',
  payer_birth_date: 'customer.birth_date',
  payer_country: 'billing_address.country',
  payer_state: 'billing_address.state',
  payer_city: 'billing_address.city',
  payer_district: 'billing_address.district',
  payer_address: 'billing_address.address',
  payer_house_number: 'billing_address.house_number',
  payer_zip: 'billing_address.zip',
  payer_phone: 'billing_address.phone',
  payer_phone_country_code: 'billing_address.phone_country_code',
} as const;

const SENT_AS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...Object.entries(SESSION_PATHS).map(([field, path]) => [path, [field]] as const),
  ['methods', ['brand']],
  ['payee', ['payee_first_name', 'payee_last_name']],
  ['payee.name', ['payee_first_name', 'payee_last_name']],
  ['customer.name', ['payer_first_name', 'payer_last_name']],
]);

/**
 * An issue of a session request as a command names its fields: `parameters.pix.key` is `parameters[key]`.
 *
 * @param keys of the methods under which the parameters of the command stand
 */
export function asSent({ path, message, code }: Issue, ...keys: readonly string[]): Issue[] {
  const within = keys.map((key) => `parameters.${key}.`).find((each) => path.startsWith(each));
  const fields = within
    ? [
        path
          .slice(within.length)
          .split('.')
          .reduce((name, part) => `${name}[${part}]`, 'parameters'),
      ]
    : (SENT_AS.get(path) ?? [path]);
  return fields.map((field) => ({ path: field, message, code }));
}

export type ReadRequest =
  | { readonly ok: true; readonly session: SessionRequest }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Holds the page's rule for names while the rest is read: those of commands are in any letters, 32 characters each. */
const ANY_NAME = 'Name';

export type CommandFields = Readonly<Record<string, unknown>> & { readonly client_key: string; readonly hash: string };

export interface SessionOf {
  readonly operation: Operation;
  /** Where the payer comes back to. Unused where no payer is present. */
  readonly successUrl: string;
  /** Fields of the session that have no place in `SESSION_PATHS`. */
  readonly more: Readonly<Record<string, unknown>>;
  readonly options?: Omit<ParseSessionOptions, 'today'>;
}

/** The request of a command as a session's, its own fields checked; issues are under the session's paths (`asSent`). */
export function sessionRequest(
  context: CommandDeps,
  fields: CommandFields,
  { operation, successUrl, more, options }: SessionOf,
): ReadRequest {
  const payer = nameOf(fields, 'payer');
  const payee = nameOf(fields, 'payee');
  const blocks: Record<string, Record<string, unknown>> = {
    ...(payer !== undefined && { customer: { name: ANY_NAME } }),
    ...((payee !== undefined || operation === 'credit' || operation === 'transfer') && { payee: { name: ANY_NAME } }),
  };
  for (const [field, path] of Object.entries(SESSION_PATHS)) {
    const [block = '', name = ''] = path.split('.');
    if (fields[field] !== undefined) blocks[block] = { ...blocks[block], [name]: fields[field] };
  }
  const { client_key, hash, channel_id, custom_data } = fields;
  const input = {
    merchant_key: client_key,
    operation,
    success_url: successUrl,
    hash,
    ...blocks,
    ...(channel_id !== undefined && { channel_id }),
    ...(custom_data !== undefined && { custom_data }),
    ...more,
    order: { ...blocks['order'], ...Object(more['order']) },
  };
  const parsed = context.directory.registry.parse(input, { ...options, today: todayOf(context) });
  return parsed.ok ? { ok: true, session: withNames(parsed.session, { payer, payee }) } : parsed;
}

export const todayOf = ({ now }: Pick<CommandDeps, 'now'>): string => new Date(now()).toISOString().slice(0, 10);

function withNames(
  { customer, payee, ...session }: SessionRequest,
  names: { readonly payer: string | undefined; readonly payee: string | undefined },
): SessionRequest {
  return {
    ...session,
    ...(customer && { customer: { ...customer, ...(names.payer !== undefined && { name: names.payer }) } }),
    // A payee without a name is none.
    ...(payee && names.payee !== undefined && { payee: { ...payee, name: names.payee } }),
  };
}

/** The name of a party in one piece. */
export function nameOf(fields: Readonly<Record<string, unknown>>, party: 'payer' | 'payee'): string | undefined {
  const given = ['first', 'middle', 'last'].flatMap((part) => {
    const name = fields[`${party}_${part}_name`];
    return typeof name === 'string' ? [name] : [];
  });
  return given.length === 0 ? undefined : given.join(' ');
}

/** The fields of the payer that a session has no place for. */
export function keptOfPayer(fields: Readonly<Record<string, unknown>>): NonNullable<AcceptedCommand['payer']> {
  const names = ['payer_first_name', 'payer_last_name', 'payer_address2'] as const;
  return Object.fromEntries(names.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])));
}

/** The merchant's methods that a command without a `brand` is paid by, a card's or a wallet's. */
export function keysBy(
  means: 'card' | 'wallet',
  { directory }: Pick<CommandDeps, 'directory'>,
  { config, profile }: Merchant,
  operation: Operation,
): readonly string[] {
  return config.methods.flatMap(({ key }) => {
    const { card = false, wallet = false } = directory.registry.find(key, profile)?.operations[operation] ?? {};
    return (means === 'card' ? card !== false : wallet) ? [key] : [];
  });
}

type Fields = CommandFields & { readonly parameters?: Readonly<Record<string, unknown>> | undefined };

/**
 * The request of such a command. Its parameters name no method, so they stand in the session under each of the keys (protocol: Card method
 * parameter sets, `parameters[name]` is `parameters.card.name`).
 */
export function requestByCard(
  context: CommandDeps,
  merchant: Merchant,
  fields: Fields,
  { keys, more, ...of }: SessionOf & { readonly keys: readonly string[] },
): ReadRequest {
  const { parameters } = fields;
  if (parameters === undefined) return sessionRequest(context, fields, { ...of, more });
  const under = Object.fromEntries(keys.map((key) => [key, parameters]));
  const read = sessionRequest(context, fields, { ...of, more: { ...more, parameters: under } });
  if (!read.ok) return read;
  const issues = parameterIssues(context, merchant, read.session, keys);
  return issues.length === 0 ? read : { ok: false, issues };
}

/** The faults of the parameters by the first method, where none of them takes the parameters: to the routing a wrong one is a lack of accounts. */
function parameterIssues(
  context: CommandDeps,
  { profile }: Merchant,
  session: SessionRequest,
  keys: readonly string[],
): readonly Issue[] {
  const today = todayOf(context);
  const found = keys.map((key) => {
    const checked = context.directory.registry.validateParsed({ ...session, methods: [key] }, { today, profile });
    return checked.ok ? [] : checked.issues.filter(({ path }) => path.startsWith(`parameters.${key}.`));
  });
  return found.some((issues) => issues.length === 0) ? [] : (found[0] ?? []);
}

/**
 * The fields of the payer that the merchant's mapping requires and the command lacks (protocol: S2S CARD payer fields).
 *
 * @param of the commands; those of a debit have defaults of their own, and the mapping of their protocol
 */
export function payerIssues(
  { payerFields }: Pick<MerchantConfig, 'payerFields'>,
  of: keyof typeof DEFAULT_PAYER_RULES,
  fields: Readonly<Record<string, unknown>>,
): Issue[] {
  const rules = { ...DEFAULT_PAYER_RULES[of], ...payerFields[of === 'debit' ? 'card' : of] };
  const hasNone = withoutPostcodes.has(String(fields['payer_country'])) ? 'payer_zip' : undefined;
  return Object.entries(rules).flatMap(([name, rule]) =>
    rule === 'required' && fields[name] === undefined && name !== hasNone ? [issue(name, TEXTS.blank)] : [],
  );
}

/**
 * The fields of CREDIT2VIRTUAL and CREDIT2CRYPTO that only these commands have, or that others depend on (protocol: Mobile money payout via S2S APM; reference:
 * CREDIT2VIRTUAL). The rest goes where `SESSION_PATHS` says and is checked there.
 */
export const payoutSchema = z
  .looseObject({
    client_key: signedFields.client_key,
    brand,
    order_id: orderFields.order_id,
    order_amount: positiveAmount.describe('The amount to pay out, `10.00`.'),
    order_currency: orderFields.order_currency,
    crypto_network: cryptoNetwork,
    ...payeeNames,
    payee_email: requiredText.describe('E-mail address of the payee.').optional(),
    ...payerFields,
    ...ownFields,
  })
  .check(({ value, issues }) => {
    const { payee_first_name, payee_last_name, payee_middle_name, payee_email } = value;
    const names = { payee_first_name, payee_last_name };
    // One who is named is named in full.
    if ([...Object.values(names), payee_middle_name, payee_email].every((each) => each === undefined)) return;
    for (const [name, part] of Object.entries(names))
      if (part === undefined) issues.push({ code: 'custom', input: value, path: [name], message: TEXTS.blank });
  });

/** A payout of coins has a description (reference: CREDIT2CRYPTO). */
export const cryptoPayoutSchema = payoutSchema.safeExtend({ order_description: orderDescription });

export type PayoutFields = z.output<typeof payoutSchema>;

/**
 * The request of a payout as a session's, with its method and the method's values checked. Whether a payee must be named is for the method
 * to say.
 */
export function payoutRequest(context: CommandDeps, { profile }: Merchant, fields: PayoutFields): ReadRequest {
  const { brand, parameters = {}, order_id, order_description = order_id, crypto_network: network } = fields;
  const parsed = sessionRequest(context, fields, {
    operation: 'credit',
    // Required of every session; no payer is redirected to it.
    successUrl: context.config.publicUrl,
    // A payout of mobile money needs no description (protocol: Mobile money payout via S2S APM); a session has one.
    more: {
      methods: [brand],
      parameters: { [brand]: parameters },
      order: { description: order_description },
      ...(network !== undefined && { crypto: { network } }),
    },
  });
  if (!parsed.ok) return parsed;
  return context.directory.registry.validateParsed(parsed.session, { today: todayOf(context), profile });
}
