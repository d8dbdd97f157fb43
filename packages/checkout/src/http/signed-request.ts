import {
  type ErrorBody,
  type Formula,
  type GivenSignature,
  isCleanText,
  issue,
  leadingIds,
  type SignedFields,
  TEXTS,
  type ValidationBody,
  validationAnswer,
  type Verification,
  verifySignature,
} from '@railyard/core';
import * as z from 'zod';
import type { Merchant } from '../config/directory.ts';
import { tooMany } from '../limits/rate-limits.ts';
import type { HeadedAnswer } from '../repeats/once.ts';
import type { ServiceContext } from '../service-context.ts';
import type { MerchantScope } from '../storage/index.ts';
import { fastHash } from '../sessions/fast-hash.ts';

/** A field of a request other than the session's: not blank, at most 255 characters, and one line that a database can look for. */
export const requiredText = z
  .string(TEXTS.blank)
  .min(1, TEXTS.blank)
  .max(255, TEXTS.tooLong(255))
  .refine((text) => isCleanText(text), TEXTS.characters);

/** Digits as every currency has them; how many decimals there may be is known once the currency is. */
export const positiveAmount = requiredText
  .regex(/^-?(0|[1-9]\d*)(\.\d+)?$/, TEXTS.notValid)
  .refine((text) => /^[^-]*[1-9]/.test(text), TEXTS.greaterThanZero);

export type SignedBy =
  | {
      readonly ok: true;
      readonly merchant: Merchant;
      /** Whose payments and sessions the call may see. */
      readonly scope: MerchantScope;
      readonly signature: Extract<Verification, { ok: true }>;
    }
  | { readonly ok: false; readonly answer: HeadedAnswer<ValidationBody | ErrorBody> };

/** What a signature is checked with. */
type Keys = Pick<GivenSignature, 'password' | 'digest' | 'hash'>;

/** Whose call it claims to be, and what it asks for. */
export interface Asked {
  readonly merchantKey: string;
  readonly call: string;
}

/** The merchant who signed a call of the API; see `signedWith`. */
export function signedBy<F extends Formula>(
  context: ServiceContext,
  asked: Asked,
  formula: F,
  fields: SignedFields<F>,
  given: string,
): Promise<SignedBy> {
  const { issuedIds } = context.stores;
  return signedWith(context, asked, {
    verify: (keys) => verifySignature({ formula, fields, given, ...keys }),
    isIssued: () => someOf(leadingIds(formula, fields), (id) => issuedIds.isPayment(id)),
  });
}

/** How a call is signed by a hash. */
interface SignedByHash {
  readonly verify: (keys: Keys) => Verification;
  /** Whether its text begins as that of a return or a callback, whose hash the payer or whoever reads callbacks has seen. */
  readonly isIssued: () => Promise<boolean>;
}

/**
 * The merchant who signed a call. A wrong hash, one that the service itself may have given out, and an unknown merchant get the same answer
 * after the same work. Only signed calls count for the merchant's limit: with others anybody could use it up.
 */
export async function signedWith(
  context: ServiceContext,
  { merchantKey, call }: Asked,
  { verify, isIssued }: SignedByHash,
): Promise<SignedBy> {
  const found = context.directory.find(merchantKey);
  const { password, digest = 'both' } = found?.merchant.config ?? {};
  const signature = verify({ password, digest, hash: fastHash });
  const issued = await isIssued();
  if (!signature.ok || found === undefined || issued) {
    if (signature.ok && issued) context.log.warn({ event: 'issued-hash-refused', merchant: merchantKey, action: call });
    return { ok: false, answer: validationAnswer([issue('hash', TEXTS.hash)]) };
  }
  const seconds = await context.limits.wait('merchant', merchantKey);
  if (seconds !== undefined) return { ok: false, answer: tooMany(seconds) };
  const scope = { merchantKey: found.merchant.config.key, test: found.test };
  return { ok: true, merchant: found.merchant, scope, signature };
}

/** Looked for one after the other: of most requests there is none. */
export async function someOf(ids: readonly string[], is: (id: string) => Promise<boolean>): Promise<boolean> {
  for (const id of ids) if (await is(id)) return true;
  return false;
}
