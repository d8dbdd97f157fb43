import type { MerchantConfig } from '../deployment/catalogue-schema.ts';
import { trustedProxies } from '../deployment/client-address.ts';
import type { SigningKey } from './by-headers.ts';
import { type CallName, DIRECTIONS, PERMISSION_FOR } from '../deployment/directions.ts';
import type { Sent } from './sent.ts';

/** Why a merchant who signed a call may not make it; `undefined`: the merchant may. */
export function whyForbidden(
  config: MerchantConfig,
  { call, sent }: { readonly call: CallName; readonly sent: Sent },
  by: 'hash' | SigningKey,
): string | undefined {
  const direction = DIRECTIONS[call];
  if (by === 'hash') {
    if (config.legacySignatures === 'none') return NEEDS_SIGNATURE;
    if (direction === 'out' && !mayPayOutByHash(config, sent)) return PAY_OUT_NEEDS_SIGNATURE;
  } else {
    const needed = PERMISSION_FOR[direction];
    if (!by.permissions.includes(needed)) return `The request key "${by.id}" has no permission "${needed}".`;
  }
  return direction === 'out' && !config.moneyOut ? MONEY_OUT_IS_OFF : undefined;
}

/** From an address of the merchant's list only: the hash alone is seen by too many. */
function mayPayOutByHash({ legacySignatures, legacyAddresses }: MerchantConfig, { client }: Sent): boolean {
  return legacySignatures === 'money-out' && client !== undefined && trustedProxies(legacyAddresses)(client);
}

const NEEDS_SIGNATURE = 'This merchant signs every request in its headers (request-signature); a hash is not accepted.';
const PAY_OUT_NEEDS_SIGNATURE =
  'A request that pays out is signed in its headers (request-signature); a hash is accepted from addresses of legacyAddresses only.';
const MONEY_OUT_IS_OFF = 'Paying out is switched off for this merchant (moneyOut).';
