import { TEXTS, isCleanText } from '@railyard/core';
import {
  WRONG_HASH,
  issue,
  issuesOfZod,
  leadingIds,
  leadingIdsOfCommand,
  onePerPath,
  sessionSchema,
  validationAnswer,
  verifyCommand,
  verifySignature,
  type Answer,
  type CommandFormula,
  type ErrorBody,
  type Formula,
  type GivenSignature,
  type Issue,
  type SignedCommandFields,
  type SignedFields,
  type ValidationBody,
  type Verification,
} from '@railyard/core/protocol';
import * as z from 'zod';
import type { Merchant } from '../../merchants/directory.ts';
import { senderOf, tooMany, type HttpDeps } from './limits.ts';
import { withIdempotency, type HeadedAnswer, type IdempotencyDeps, type Resource } from '../../idempotency.ts';
import type { MerchantScope } from '../../storage/index.ts';
import { fastHash, type Asker } from '../../sessions/session.ts';
import {
  isNew,
  signedByHeaders,
  whyForbidden,
  withoutNeedOfHash,
  type Sent,
  type SentSignature,
  type SigningKey,
} from '../../signatures.ts';
import type { CallName } from '../../deployment/catalogue.ts';

/** A field of a request other than the session's: not blank, at most 255 characters, and one line that a database can look for. */
export const requiredText = z
  .string()
  .min(1, TEXTS.blank)
  .max(255, TEXTS.tooLong(255))
  .refine((text) => isCleanText(text), TEXTS.characters);

/** As a session's, and checked before the signature: a hash over megabytes costs more than a look at their length. */
export const orderDescription = sessionSchema.shape.order.shape.description.describe(
  'What the payer reads about the order, 2 to 1024 characters.',
);

/** The fields that sign a call of `/api/v1`. */
export const signedFields = {
  merchant_key: requiredText.describe('The merchant’s key. The test key makes test payments.'),
  hash: requiredText.describe('The signature of the request. May be left out where the request headers sign.'),
};

/** Digits as every currency has them; how many decimals there may be is known once the currency is. */
export const positiveAmount = requiredText
  .regex(/^-?(0|[1-9]\d*)(\.\d+)?$/, TEXTS.notValid)
  .refine((text) => /^[^-]*[1-9]/.test(text), TEXTS.greaterThanZero);

type SignedBy =
  | {
      readonly ok: true;
      readonly merchant: Merchant;
      /** Whose payments and sessions the call may see. */
      readonly scope: MerchantScope;
      readonly signature: Extract<Verification, { ok: true }>;
      readonly client: string | undefined;
    }
  | { readonly ok: false; readonly answer: HeadedAnswer<ValidationBody | ErrorBody> };

/** The keys that a signature is checked with. */
type Keys = Pick<GivenSignature, 'password' | 'digest' | 'hash'>;

/** The claimed merchant, the call, and how the request was sent. */
export interface ClaimedCall {
  readonly merchantKey: string;
  readonly call: CallName;
  readonly sent: Sent;
}

/** How a call is signed by a hash. */
export interface SignedByHash {
  readonly verify: (keys: Keys) => Verification | Promise<Verification>;
  /** Verifying reads a stored payment, so an address that sends wrong ones is made to wait before it costs more reads. */
  readonly readsStored?: true;
  /** Whether its text begins like the signed text of a return or a callback, whose hash the payer or another reader has seen. */
  readonly isIssued: (issued: HttpDeps['stores']['issuedIds']) => Promise<boolean>;
  /** The answer where it is wrong, in place of the usual one: of a call whose signature covers what only a stored payment has. */
  readonly refusal?: Answer<ErrorBody>;
}

/**
 * The merchant who signed a call, by its headers or else by its hash, and who may do what it asks for. Only signed calls count for the
 * merchant's limit: with others anybody could use it up.
 */
export async function signedWith(context: HttpDeps, claimed: ClaimedCall, byHash: SignedByHash): Promise<SignedBy> {
  const found = context.directory.find(claimed.merchantKey);
  const { signature: headers } = claimed.sent;
  const checked =
    headers === undefined ? await checkHash(context, claimed, byHash) : checkHeaders(context, claimed, headers);
  if (!checked.ok || found === undefined)
    return checked.ok ? { ok: false, answer: byHash.refusal ?? wrongHash() } : checked;
  const seconds = await context.limits.wait('merchant', claimed.merchantKey);
  if (seconds !== undefined) return { ok: false, answer: tooMany(seconds) };
  const replayed = headers && (await isNew(context, claimed.merchantKey, headers));
  if (replayed?.ok === false) return replayed;
  const { merchant, test } = found;
  const why = whyForbidden(merchant.config, claimed, checked.by);
  if (why !== undefined) {
    context.log.warn({ event: 'call-forbidden', merchant: claimed.merchantKey, action: claimed.call, why });
    return { ok: false, answer: forbidden(why) };
  }
  const signature = checked.by === 'hash' ? checked.signature : await dialectOf(merchant, byHash);
  const { client } = claimed.sent;
  return { ok: true, merchant, scope: { merchantKey: merchant.config.key, test }, signature, client };
}

type Checked =
  | { readonly ok: true; readonly by: 'hash'; readonly signature: Extract<Verification, { ok: true }> }
  | { readonly ok: true; readonly by: SigningKey }
  | { readonly ok: false; readonly answer: HeadedAnswer<ValidationBody | ErrorBody> };

function checkHeaders({ directory, now }: HttpDeps, { merchantKey }: ClaimedCall, sent: SentSignature): Checked {
  const checked = signedByHeaders(directory.find(merchantKey)?.merchant.config.requestKeys ?? [], sent, now());
  return checked.ok ? { ok: true, by: checked.key } : checked;
}

/**
 * A wrong hash and an unknown merchant get the same answer after the same work, and so does a right hash that the service itself may have
 * given out, but for the look whether it has: only the holder of a right hash learns how long that takes.
 */
async function checkHash(
  context: HttpDeps,
  { merchantKey, call, sent }: ClaimedCall,
  { verify, isIssued, refusal, readsStored }: SignedByHash,
): Promise<Checked> {
  const { limits, directory } = context;
  const sender = senderOf(sent.client);
  const seconds = readsStored && (await limits.wait('signatures', sender));
  if (seconds !== undefined) return { ok: false, answer: tooMany(seconds) };
  const { password, digest = 'both' } = directory.find(merchantKey)?.merchant.config ?? {};
  const signature = await verify({ password, digest, hash: fastHash });
  if (!signature.ok) return { ok: false, answer: refusal ?? wrongHash() };
  if (readsStored) await limits.giveBack('signatures', sender);
  if (!(await isIssued(context.stores.issuedIds))) return { ok: true, by: 'hash', signature };
  context.log.warn({ event: 'issued-hash-refused', merchant: merchantKey, action: call });
  return { ok: false, answer: refusal ?? wrongHash() };
}

const wrongHash = () => validationAnswer([issue('hash', WRONG_HASH)]);

/** How hashes are made for a merchant whose headers sign: as the hash that came along, if that is right. It proves nothing here. */
async function dialectOf({ config }: Merchant, { verify }: SignedByHash): Promise<Extract<Verification, { ok: true }>> {
  const { password, digest } = config;
  const given = await verify({ password, digest, hash: fastHash });
  return given.ok ? given : { ok: true, digest: digest === 'sha256' ? 'sha256' : 'md5', dialect: 'either' };
}

const forbidden = (error_message: string): Answer<ErrorBody> => ({
  status: 403,
  body: { http_code: 403, error_code: '403', error_message },
});

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
  /** Carries out the request, under the id of the resource. */
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
    requestId: sent.requestId ?? context.newId(),
    ...(secret && { secret: (resourceId: string) => secret(context, resourceId) }),
  };
  return withIdempotency(context, request, (resource) => spec.handle(context, signed, fields, resource));
}

const isObject = (body: unknown): body is object => typeof body === 'object' && body !== null && !Array.isArray(body);

/** The fields of a body by a schema. @param more checks between its fields */
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
