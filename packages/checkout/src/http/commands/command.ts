import {
  FIRST_DELAYS,
  INTERVAL_UNITS,
  invalidValueCode,
  notFoundCode,
  refusedAnswer,
  type Answer,
  type CommandFormula,
  type ErrorBody,
  type Issue,
  type SignedCommandFields,
  type ValidationBody,
  WEEKDAYS,
} from '@railyard/core/protocol';
import * as z from 'zod';
import { lookupSchema, type LookupBody, type TransactionBody } from '../../callbacks/body.ts';
import { date, textField, test } from '../../callbacks/field-schemas.ts';
import { MODIFICATION_NAMES, MODIFICATIONS } from '@railyard/core/payment';
import type { CallName } from '../../deployment/catalogue.ts';
import type { HeadedAnswer, Resource } from '../../idempotency.ts';
import type { Asker } from '../../sessions/session.ts';
import {
  checkedBy,
  commandHashBy,
  requiredText,
  runCall,
  type ReceivedCall,
  type SignedByHash,
} from '../basics/call.ts';
import type { CommandDeps } from '../deps.ts';

/** The answer to a command that was carried out. */
type CommandAnswerBody = TransactionBody | LookupBody | DetailsBody | AcceptedBody | ScheduleBody | ScheduleInfoBody;

/** The answer to a command whose end a callback reports. */
export const acceptedSchema = z.object({
  action: textField('The action of the command.'),
  result: z.literal('ACCEPTED').describe('Accepted and begun. A callback with the same action reports the outcome.'),
  order_id: textField('The order.'),
  trans_id: textField('The transaction.'),
  test: test.optional(),
});

type AcceptedBody = z.output<typeof acceptedSchema>;

const ofSchedules = {
  action: textField('The action of the command.'),
  result: z.literal('SUCCESS').describe('The schedule is as the command asked for.'),
  test: test.optional(),
};

/** The answer to a command of a schedule (reference: S2S CARD, Schedules). */
export const scheduleSchema = z.object(ofSchedules);

export const createdScheduleSchema = z.object({ ...ofSchedules, schedule_id: textField('The new schedule.') });

type ScheduleBody = z.output<typeof scheduleSchema> | z.output<typeof createdScheduleSchema>;

/** The terms of a schedule as they are reported (reference: SCHEDULE_INFO). */
export const scheduleInfoSchema = z.object({
  ...ofSchedules,
  schedule_id: textField('The schedule.'),
  name: textField('The name of the schedule.'),
  interval_length: z.int().describe('How many days or months lie between two charges.'),
  interval_unit: z.enum(INTERVAL_UNITS).describe('Days or months.'),
  day_of_month: z.int().describe('The day of the month of each charge.').optional(),
  payments_count: z.int().describe('How often the schedule charges.'),
  delayed_first_payment: z.enum(FIRST_DELAYS).describe('When the first charge is.'),
  first_payment_interval_length: z.int().describe('How long after the first payment the first charge is.').optional(),
  first_payment_interval_unit: z.enum(INTERVAL_UNITS).describe('Days or months.').optional(),
  first_payment_day_of_week: z.enum(WEEKDAYS).describe('The weekday of the first charge.').optional(),
  first_payment_day_of_month: z.int().describe('The day of the month of the first charge.').optional(),
  retry_days: textField('Days after a soft decline on which the charge is tried again: `1,3,5,7`, or `none`.'),
  delays: z.null().describe('Retired; always null.'),
  paused: z.enum(['Y', 'N']).describe('Whether the schedule is paused.'),
});

type ScheduleInfoBody = z.output<typeof scheduleInfoSchema>;

/** One of the transactions that a payment is made of (reference: GET_TRANS_DETAILS). */
const partSchema = z.object({
  type: z
    .enum([...MODIFICATION_NAMES.map((name) => MODIFICATIONS[name].part), 'sale', 'auth', 'chargeback', 'credit'])
    .describe('What was done.'),
  status: z.enum(['success', 'waiting', 'fail']).describe('What became of it.'),
  date: date.describe('When it last changed, `YYYY-MM-DD hh:mm:ss` in UTC.'),
  amount: textField('Its amount.'),
});

export type TransactionPart = z.output<typeof partSchema>;

/** The answer to a lookup of all that is known of a transaction. */
export const detailsSchema = lookupSchema.extend({
  name: textField('Name of the payer.').optional(),
  mail: textField('E-mail address of the payer.').optional(),
  ip: textField('IP address of the payer.').optional(),
  amount: textField('The amount of the order.'),
  currency: textField('The currency of the order.'),
  transactions: z
    .array(partSchema)
    .readonly()
    .describe('The beginning of the payment and its modifications, in order.'),
});

export type DetailsBody = z.output<typeof detailsSchema>;

/** The answer to a command that was not carried out (reference: Errors of S2S APM and S2S CARD; recorded clients). */
interface CommandError {
  /** Absent where the fault is the service's: whether the command was carried out may not be known. */
  readonly result?: 'ERROR';
  readonly error_code: number;
  readonly error_message: string;
  readonly errors?: ValidationBody['errors'];
  readonly hint?: string | undefined;
}

const isRefusal = (body: object): body is ValidationBody | ErrorBody => 'error_message' in body && !('result' in body);

/** Converts refusals to the form of commands; other answers stay as they are. */
export function asCommandAnswer(answer: HeadedAnswer<object>): HeadedAnswer<object> {
  const { status, body, headers } = answer;
  if (status < 400 || !isRefusal(body)) return answer;
  const error: CommandError = {
    ...(status < 500 && { result: 'ERROR' }),
    // A number here: the code of validation is that of each of its entries.
    error_code: Number(body.error_code) || invalidValueCode,
    error_message: body.error_message,
    ...('errors' in body && { errors: body.errors }),
    ...('hint' in body && { hint: body.hint }),
  };
  return { status, body: error, ...(headers && { headers }) };
}

/** The body of an answer to a command. `B`: where it was carried out. */
export type CommandBody<B = CommandAnswerBody> = B | ValidationBody | ErrorBody;
export type CommandAnswer = HeadedAnswer<CommandBody>;

/** A command of the table. */
export interface Command {
  /** The fields of a request, but for `action`. */
  readonly request: z.ZodType;
  /** The body of the answer to a command that was carried out. It describes the answer and is not checked. */
  readonly answer: z.ZodType;
  /** Sends the command through the pipeline of all calls. */
  run(context: CommandDeps, received: ReceivedCall): Promise<CommandAnswer>;
}

/** The fields that sign a command. */
export const signedFields = {
  client_key: requiredText.describe('The merchant’s key. The test key makes test payments.'),
  hash: requiredText.describe('The signature of the command. May be left out where the request headers sign.'),
};

interface Signed {
  readonly client_key: string;
  readonly hash: string;
}

interface CommandSpec<F, B extends CommandAnswerBody> {
  readonly action: CallName;
  readonly schema: z.ZodType<F>;
  readonly answer: z.ZodType<B>;
  /** Rules between fields, reported beside the problems of single fields. */
  readonly between?: (body: Readonly<Record<string, unknown>>) => readonly Issue[];
  /** How its hash is checked. */
  readonly signedBy: (fields: F, context: CommandDeps) => SignedByHash | Promise<SignedByHash>;
  readonly handle: (
    context: CommandDeps,
    asker: Asker,
    fields: F,
    resource: Resource,
  ) => Promise<Answer<CommandBody<B>>>;
  /** Only reads: each request gets the present state, and its idempotency key is ignored. */
  readonly readsOnly?: true;
}

/** Fields in the order of their names: that of the schema may change with a release, between a request and its repeat. */
const byName = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** A command: a form through the pipeline of all calls. */
export function defineCommand<F extends Signed, B extends CommandAnswerBody>(spec: CommandSpec<F, B>): Command {
  const { action, schema, answer, handle, readsOnly } = spec;
  const call = {
    path: action,
    check: (_context: CommandDeps, body: unknown) => checkedBy(schema, body, spec.between?.(Object(body))),
    signature: async (fields: F, context: CommandDeps) => ({
      merchantKey: fields.client_key,
      call: action,
      byHash: await spec.signedBy(fields, context),
    }),
    handle,
  };
  return {
    request: schema,
    answer,
    run(context, { idempotencyKey, ...received }) {
      const key = readsOnly === true ? undefined : idempotencyKey;
      // The fields, because the text of a multipart body is another one each time; with a key, because they may be those of a card.
      const text = (fields: F) => context.vault.fingerprint(JSON.stringify(fields, byName));
      return runCall(context, call, { ...received, idempotencyKey: key }, text);
    },
  };
}

/** A hash over fields of the command alone. */
export const signedByFields =
  <F extends CommandFormula, B extends Signed>(formula: F, covered: (fields: B) => SignedCommandFields<F>) =>
  (fields: B): SignedByHash =>
    commandHashBy(formula, covered(fields), fields.hash);

/** Refusals of commands by their meaning: texts and codes of the reference's error list (S2S CARD, Errors) and of the protocol's not-found table. */
const REFUSALS = {
  /** No account of the merchant's takes the request. */
  'no-account': ['Enabled merchant mappings or MIDs not found.', 204002],
  /** The merchant has no such wallet, or no account that takes it. */
  'no-wallet': ['Payment method not supported.', 204004],
  brand: ['Payment system/brand not supported.', 204006],
  unsupported: ['Payment action not supported.', 204005],
  token: ['Card token is invalid or not found.', 205005],
  'token-expired': ['Card token is expired.', 205006],
  transaction: ['Transaction does not exist.', notFoundCode],
  order: ['Order does not exist.', notFoundCode],
  payment: ['Payment not found.', undefined],
  mandate: ['Incorrect transaction', undefined],
  schedule: ['Schedule not found', undefined],
  'schedule-used': ['Schedule is used by payments.', undefined],
  'schedule-busy': ['Schedule is being changed. Try again.', undefined],
  deprecated: ['Parameter is deprecated.', undefined],
  'not-soft': ['Not acceptable to request the retry for payment not softly declined.', undefined],
  'reversal-amount': ['Not acceptable to request the reversal for amount bigger than payment amount.', 208008],
  'reversal-part': ['Not acceptable to request the reversal for partial amount.', 208009],
  'under-way': ['Previous payment not completed.', undefined],
  erased: ['The data of the payment has been removed after the retention period.', undefined],
} as const satisfies Readonly<Record<string, readonly [text: string, code: number | undefined]>>;

export type RefusalName = keyof typeof REFUSALS;

/** The answer to a command that cannot be done. */
export function refusedBy(name: RefusalName, hint?: string): Answer<ErrorBody> {
  const [text, code] = REFUSALS[name];
  return refusedAnswer(text, code, hint);
}
