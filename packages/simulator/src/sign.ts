import { createHmac, createSign } from 'node:crypto';
import type { RawNotification } from '@railyard/core';
import { hmacKeys } from '@railyard/core/driver';
import type { Mount } from './mount.ts';

/**
 * The headers that prove a notification, by the connector's own scheme.
 *
 * @param forged an attacker is at work, who knows no secret
 * @throws Error for an RSA scheme without the provider's private key
 */
export function proof(
  { connector, settings, privateKey, name }: Pick<Mount, 'connector' | 'settings' | 'privateKey' | 'name'>,
  raw: RawNotification,
  forged: boolean,
): Readonly<Record<string, string>> {
  const verify = connector.notifications?.verify;
  if (verify === undefined || verify.scheme === 'unsigned') return {};
  const header = verify.header.toLowerCase();
  if (verify.scheme === 'shared-secret') return { [header]: forged ? 'a guess' : verify.value(settings) };
  const over = `${verify.over?.(raw) ?? raw.body}${forged ? ' ' : ''}`;
  if (verify.scheme === 'hmac') {
    const digest = createHmac(verify.algorithm, hmacKeys(verify, settings)[0] ?? '')
      .update(over, 'utf8')
      .digest(verify.encoding);
    const signature = `${verify.prefix ?? ''}${digest}`;
    // The simulation began the list with what else stands in it: the time, for Stripe's.
    const begun = verify.separator === undefined ? undefined : raw.headers[header];
    return { [header]: begun === undefined ? signature : `${begun}${verify.separator}${signature}` };
  }
  if (privateKey === undefined) throw new Error(`${name} signs its notifications by RSA: give privateKey.`);
  return {
    [header]: createSign(verify.algorithm.toUpperCase()).update(over, 'utf8').sign(privateKey, verify.encoding),
  };
}
