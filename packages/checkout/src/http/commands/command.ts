import type { TransactionBody } from '../../callbacks/body.ts';
import {
  invalidValueCode,
  notFoundCode,
  refusedAnswer,
  type Answer,
  type CommandFormula,
  type ErrorBody,
  type Issue,
  type SignedCommandFields,
  type ValidationBody,
} from '@railyard/core/protocol';
import type * as z from 'zod';
import type { ModificationPart } from '@railyard/core/payment';
import type { CallName } from '../../deployment/catalogue.ts';
import type { HeadedAnswer, Resource } from '../../idempotency.ts';
import type { Asker } from '../../sessions/session.ts';
import { checkedBy, commandHashBy, runCall, type ReceivedCall, type SignedByHash } from '../basics/call.ts';
import type { CommandDeps } from '../deps.ts';

/** The answer to a command that was carried out. */
export type CommandAnswerBody = TransactionBody | LookupBody | DetailsBody | AcceptedTransaction | ScheduleBody;

/** The answer to a command whose end a callback reports. */
export interface AcceptedTransaction {
  readonly action: string;
  readonly result: 'ACCEPTED';
  readonly order_id: string;
  readonly trans_id: string;
  readonly test?: true;
}

/** The answer to a command of a schedule (reference: S2S CARD, Schedules). */
export interface ScheduleBody {
  readonly action: string;
  readonly result: 'SUCCESS';
  readonly schedule_id?: string;
  readonly test?: true;
}

/** The answer to a lookup. */
export interface LookupBody extends TransactionBody {
  readonly card?: string;
  readonly card_expiration_date?: string;
}

/** One of the transactions that a payment is made of (reference: GET_TRANS_DETAILS). */
export interface TransactionPart {
  readonly type: ModificationPart | 'sale' | 'auth' | 'chargeback' | 'credit';
  readonly status: 'success' | 'waiting' | 'fail';
  readonly date: string;
  readonly amount: string;
}

export interface DetailsBody extends LookupBody {
  readonly name?: string;
  readonly mail?: string;
  readonly ip?: string;
  readonly transactions: readonly TransactionPart[];
}

/** The answer to a command that was not carried out (reference: Errors of S2S APM and S2S CARD; recorded clients). */
interface CommandError {
  readonly result: 'ERROR';
  readonly error_code: number;
  readonly error_message: string;
  readonly errors?: ValidationBody['errors'];
}

/** Converts refusals to the form of commands; other answers stay as they are. */
export function asCommandAnswer(answer: CommandAnswer): HeadedAnswer<unknown> {
  const { status, body, headers } = answer;
  if (status < 400 || !('error_message' in body)) return answer;
  const error: CommandError = {
    result: 'ERROR',
    // A number here: the code of validation is that of each of its entries.
    error_code: Number(body.error_code) || invalidValueCode,
    error_message: body.error_message,
    ...('errors' in body && { errors: body.errors }),
  };
  return { status, body: error, ...(headers && { headers }) };
}

/** A refusal of the request as a whole. */
export const refusal = (status: number, error_message: string): Answer<ErrorBody> => ({
  status,
  body: { http_code: status, error_code: String(status), error_message },
});

export type CommandBody = CommandAnswerBody | ValidationBody | ErrorBody;
export type CommandAnswer = HeadedAnswer<CommandBody>;

/** A command of the table. */
export interface Command {
  /** Sends the command through the pipeline of all calls. */
  run(context: CommandDeps, received: ReceivedCall): Promise<CommandAnswer>;
}

/** The fields of every command. */
interface Signed {
  readonly client_key: string;
  readonly hash: string;
}

interface CommandSpec<B> {
  readonly action: CallName;
  readonly schema: z.ZodType<B>;
  /** Rules between fields, reported beside the problems of single fields. */
  readonly between?: (body: Readonly<Record<string, unknown>>) => readonly Issue[];
  /** How its hash is checked. */
  readonly signedBy: (fields: B, context: CommandDeps) => SignedByHash | Promise<SignedByHash>;
  readonly handle: (context: CommandDeps, asker: Asker, fields: B, resource: Resource) => Promise<Answer<CommandBody>>;
  /** Only reads: each request gets the present state, and its idempotency key is ignored. */
  readonly readsOnly?: true;
}

/** A command: a form through the pipeline of all calls. */
export function defineCommand<B extends Signed>(spec: CommandSpec<B>): Command {
  const { action, schema, handle, readsOnly } = spec;
  const call = {
    path: action,
    check: (_context: CommandDeps, body: unknown) => checkedBy(schema, body, spec.between?.(Object(body))),
    signature: async (fields: B, context: CommandDeps) => ({
      merchantKey: fields.client_key,
      call: action,
      byHash: await spec.signedBy(fields, context),
    }),
    handle,
  };
  return {
    run(context, { idempotencyKey, ...received }) {
      const key = readsOnly === true ? undefined : idempotencyKey;
      // The fields, because the text of a multipart body is another one each time; with a key, because they may be those of a card.
      const text = (fields: B) => context.vault.fingerprint(JSON.stringify(fields));
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
export function refusedBy(name: RefusalName): Answer<ErrorBody> {
  const [text, code] = REFUSALS[name];
  return refusedAnswer(text, code);
}
