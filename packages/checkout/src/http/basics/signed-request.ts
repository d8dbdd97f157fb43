import { isCleanText, TEXTS } from '@railyard/core';
import {
  type Answer,
  type ErrorBody,
  type GivenSignature,
  issue,
  sessionSchema,
  type ValidationBody,
  validationAnswer,
  type Verification,
  WRONG_HASH,
} from '@railyard/core/protocol';
import * as z from 'zod';
import type { Merchant } from '../../merchants/directory.ts';
import { senderOf, tooMany } from './rate-limits.ts';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';
import type { HttpDeps } from './deps.ts';
import type { MerchantScope } from '../../storage/index.ts';
import { fastHash } from '../../sessions/fast-hash.ts';
import { isNew, signedByHeaders, type SigningKey } from '../../signatures/by-headers.ts';
import type { CallName } from '../../deployment/directions.ts';
import { whyForbidden } from '../../signatures/permitted.ts';
import type { Sent, SentSignature } from '../../signatures/sent.ts';

/** A field of a request other than the session's: not blank, at most 255 characters, and one line that a database can look for. */
export const requiredText = z
  .string(TEXTS.blank)
  .min(1, TEXTS.blank)
  .max(255, TEXTS.tooLong(255))
  .refine((text) => isCleanText(text), TEXTS.characters);

/** As a session's, and checked before the signature: a hash over megabytes costs more than a look at their length. */
export const orderDescription = sessionSchema.shape.order.shape.description;

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
  /** Whether its text begins as that of a return or a callback, whose hash the payer or another reader has seen. */
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
  return { ok: true, merchant, scope: { merchantKey: merchant.config.key, test }, signature };
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
 * A wrong hash and an unknown merchant get the same answer after the same work, and so does a right one that the service itself may have
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
