import { TEXTS } from '@railyard/core';
import { type Issue, issue } from '@railyard/core/protocol';
import { addressProblem } from '../../deployment/address-rules.ts';
import type { Merchant } from '../../merchants/directory.ts';
import type { CommandDeps } from './deps.ts';

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
