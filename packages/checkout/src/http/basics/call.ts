import {
  type Answer,
  type CommandFormula,
  type ErrorBody,
  type Formula,
  type Issue,
  issuesOfZod,
  leadingIds,
  leadingIdsOfCommand,
  onePerPath,
  type SignedCommandFields,
  type SignedFields,
  type ValidationBody,
  validationAnswer,
  verifyCommand,
  verifySignature,
} from '@railyard/core/protocol';
import type * as z from 'zod';
import type { IdempotencyDeps } from '../../idempotency/deps.ts';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';
import { type Resource, withIdempotency } from '../../idempotency/with-idempotency.ts';
import type { Asker } from '../../sessions/charge-session.ts';
import { type Sent, withoutNeedOfHash } from '../../signatures/sent.ts';
import type { HttpDeps } from './deps.ts';
import { type ClaimedCall, type SignedByHash, signedWith } from './signed-request.ts';

/** A body once it is read: its fields are not yet checked. */
export interface ReceivedCall {
  readonly body: unknown;
  /** The header `Idempotency-Key`, if there is one and the call heeds it. */
  readonly idempotencyKey: string | undefined;
  readonly sent: Sent;
}

export type CheckedFields<F> =
  | { readonly ok: true; readonly fields: F }
  | { readonly ok: false; readonly answer: Answer<ValidationBody | ErrorBody> };

/** Who signed a call, and how that is checked where its headers do not sign it. */
export interface CallSignature extends Omit<ClaimedCall, 'sent'> {
  readonly byHash: SignedByHash;
}

/** A call of a merchant's server, as a row of the pipeline. `D`: dependencies, `F`: checked fields, `B`: the body of the answer. */
export interface CallSpec<D extends HttpDeps & IdempotencyDeps, F, B> {
  /** A repeat is one of the same call: its path, or its name. */
  readonly path: string;
  /** Checks the fields. Nothing costly and nothing that only the merchant may know: the signature has not been checked. */
  readonly check: (context: D, body: unknown) => CheckedFields<F>;
  readonly signature: (fields: F, context: D) => CallSignature | Promise<CallSignature>;
  /** A part of the answer that must not be stored, made from the resource's id. */
  readonly secret?: (context: D, resourceId: string) => string;
  /** Does what is asked for, under the id of the resource. */
  readonly handle: (context: D, asker: Asker, fields: F, resource: Resource) => Promise<Answer<B>>;
}

/**
 * The one way of every signed call, by `/api/v1/*` and by command alike, once its body is read: fields, then signature, then idempotency,
 * then what it does, then the answer. No call may skip or reorder a step.
 *
 * @param text of the request; two requests with one key must not differ in it
 */
export async function runCall<D extends HttpDeps & IdempotencyDeps, F, B>(
  context: D,
  spec: CallSpec<D, F, B>,
  { body, idempotencyKey, sent }: ReceivedCall,
  text: (fields: F) => string,
): Promise<HeadedAnswer<B | ValidationBody | ErrorBody>> {
  const checked = spec.check(context, isObject(body) ? withoutNeedOfHash(body, sent) : body);
  if (!checked.ok) return checked.answer;
  const { fields } = checked;
  const { byHash, ...claimed } = await spec.signature(fields, context);
  const signed = await signedWith(context, { ...claimed, sent }, byHash);
  if (!signed.ok) return signed.answer;
  const { secret, path } = spec;
  const request = {
    merchantKey: claimed.merchantKey,
    key: idempotencyKey,
    path,
    text: text(fields),
    ...(secret && { secret: (resourceId: string) => secret(context, resourceId) }),
  };
  return withIdempotency(context, request, (resource) => spec.handle(context, signed, fields, resource));
}

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null && !Array.isArray(body);

/** The fields of a body by a schema. @param more what is wrong between its fields */
export function checkedBy<F>(schema: z.ZodType<F>, body: unknown, more: readonly Issue[] = []): CheckedFields<F> {
  const parsed = schema.safeParse(body);
  if (parsed.success && more.length === 0) return { ok: true, fields: parsed.data };
  const issues = parsed.success ? [] : issuesOfZod(parsed.error, { input: body });
  return { ok: false, answer: validationAnswer(onePerPath([...issues, ...more])) };
}

/** A hash by one of the formulas of `/api/v1`. Returns and callbacks, whose hash the payer or another reader has seen, name a payment first. */
export const hashBy = <F extends Formula>(formula: F, fields: SignedFields<F>, given: string): SignedByHash => ({
  verify: (keys) => verifySignature({ formula, fields, given, ...keys }),
  isIssued: (issued) => someOf(leadingIds(formula, fields), (id) => issued.isPayment(id)),
});

/** A hash by one of the formulas of commands. Their callbacks name a transaction first. */
export const commandHashBy = <F extends CommandFormula>(
  formula: F,
  fields: SignedCommandFields<F>,
  given: string,
): SignedByHash => ({
  verify: (keys) => verifyCommand({ formula, fields, given, ...keys }),
  isIssued: (issued) => someOf(leadingIdsOfCommand(formula, fields), (id) => issued.isTransaction(id)),
});

/** Looked for one after the other: of most requests there is none. */
async function someOf(ids: readonly string[], is: (id: string) => Promise<boolean>): Promise<boolean> {
  for (const id of ids) if (await is(id)) return true;
  return false;
}
