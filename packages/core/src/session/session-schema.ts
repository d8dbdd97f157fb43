import * as z from 'zod';
import { TEXTS } from '../issues/texts.ts';
import { OPERATIONS } from '../method/operation.ts';
import {
  currencyCode,
  day,
  email,
  flag,
  latinName,
  lines,
  plainObject,
  stringList,
  text,
  textProblem,
  uuid,
  wholeNumber,
} from './fields.ts';
import { addressFields, customerFields } from './payer-fields.ts';
import { redirectUrl } from './redirect-url.ts';

/** More than any page can show; it keeps a list of thousands from being looked up one by one. */
const listLength = { min: 1, max: 100 };

const orderSchema = z.object({
  number: text({ min: 3, max: 255 }),
  /** Kept byte for byte. What it may be depends on operation, currency and methods: see the rules. */
  amount: z.string().optional(),
  currency: currencyCode(),
  description: lines({ min: 2, max: 1024 }),
});

/** Only in the request for a hosted-fields token. */
const ip = z.union([z.ipv4(), z.ipv6()], { error: TEXTS.ip });

const customerSchema = z.object({ ...customerFields, ip }).partial();
const addressSchema = z.object(addressFields).partial();

const payeeSchema = z.object({ name: latinName({ min: 2, max: 32 }), email: email().optional() });

const cryptoSchema = z.object({ network: text({ max: 50 }).optional() });

/**
 * Every field of a session request, in the order of the protocol's tables, which is also the order of the issues in an
 * answer. Other fields are ignored. What depends on more than one field is in the rules; use `parseSession` to get both.
 */
export const sessionSchema = z.object({
  merchant_key: text({ max: 255 }),
  operation: z.enum(OPERATIONS),
  success_url: redirectUrl(),
  cancel_url: redirectUrl().optional(),
  expiry_url: redirectUrl().optional(),
  error_url: redirectUrl().optional(),
  url_target: z.enum(['_self', '_parent', '_top']).optional(),
  /** Minutes. */
  session_expiry: wholeNumber(1, 720).default(60),
  channel_id: text({ max: 16 }).optional(),
  /** Only that it is there: whether it is right is checked once all fields are. */
  hash: checkedHash(),
  order: orderSchema,
  customer: customerSchema.optional(),
  billing_address: addressSchema.optional(),
  /** By method key, as sent. What stands under a key is checked by the method. */
  parameters: z.record(z.string(), plainObject()).optional(),
  custom_data: plainObject().optional(),
  methods: stringList(listLength, (key) => textProblem(key, { max: 100 })).optional(),
  req_token: flag().default(false),
  card_token: stringList(listLength, cardTokenProblem).optional(),
  auth: flag().default(false),
  recurring_init: flag().default(false),
  schedule_id: text({ max: 255 }).optional(),
  schedule_start_date: day().optional(),
  payment_schedule_amount: z.string().optional(),
  vat_calc: flag().default(false),
  payee: payeeSchema.optional(),
  payee_billing_address: addressSchema.optional(),
  crypto: cryptoSchema.optional(),
  /** The account to transact for; a method's own parameter of that name goes first (2-methods.md, Crypto wallet). */
  accountId: text({ max: 255 }).optional(),
  form_id: uuid().optional(),
  /** Shows the payer a consent to recurring payments (reference: session request). */
  recurring_consent_required: flag().default(false),
});

export type SessionFields = z.output<typeof sessionSchema>;

/** A session request as it is sent. */
export type SessionInput = z.input<typeof sessionSchema>;

/** The fields of a block of the session, also of an optional block; nothing for any other field. */
export function blockOf(field: z.core.$ZodType): z.ZodObject | undefined {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  return inner instanceof z.ZodObject ? inner : undefined;
}

function checkedHash() {
  return z.string().refine((value) => value !== '', TEXTS.blank);
}

function cardTokenProblem(token: string): string | undefined {
  if (token.length !== 64) return TEXTS.exactLength(64);
  return /^[\w-]+$/.test(token) ? undefined : TEXTS.notValid;
}
