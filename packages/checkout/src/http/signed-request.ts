import {
  type ErrorBody,
  type Formula,
  type GivenSignature,
  isCleanText,
  issue,
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

/** The merchant who signed a call of the API; see `signedWith`. */
export function signedBy<F extends Formula>(
  context: ServiceContext,
  merchantKey: string,
  formula: F,
  fields: SignedFields<F>,
  given: string,
): Promise<SignedBy> {
  return signedWith(context, merchantKey, (keys) => verifySignature({ formula, fields, given, ...keys }));
}

/**
 * The merchant who signed a call. A wrong hash and an unknown merchant get the same answer. Only signed calls count for the
 * merchant's limit: with others anybody could use it up.
 */
export async function signedWith(
  context: ServiceContext,
  merchantKey: string,
  verify: (keys: Keys) => Verification,
): Promise<SignedBy> {
  const found = context.directory.find(merchantKey);
  const { password, digest = 'both' } = found?.merchant.config ?? {};
  const signature = verify({ password, digest, hash: fastHash });
  if (!signature.ok || found === undefined) return { ok: false, answer: validationAnswer([issue('hash', TEXTS.hash)]) };
  const seconds = await context.limits.wait('merchant', merchantKey);
  if (seconds !== undefined) return { ok: false, answer: tooMany(seconds) };
  const scope = { merchantKey: found.merchant.config.key, test: found.test };
  return { ok: true, merchant: found.merchant, scope, signature };
}
