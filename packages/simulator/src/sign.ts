import { createHmac, createSign } from 'node:crypto';
import { type ArrivedNotification, hmacKeys, rawNotification } from '@railyard/core/driver';
import type { Mount } from './mount.ts';

/**
 * The headers that prove a notification, by the connector's own scheme.
 *
 * @param forged an attacker is at work, who knows no secret
 * @throws Error for an RSA scheme without the provider's private key
 */
export function proof(
  { connector, settings, privateKey, name }: Pick<Mount, 'connector' | 'settings' | 'privateKey' | 'name'>,
  leaving: ArrivedNotification,
  forged: boolean,
): Readonly<Record<string, string>> {
  const verify = connector.notifications?.verify;
  if (verify === undefined || verify.scheme === 'unsigned') return {};
  const header = verify.header.toLowerCase();
  if (verify.scheme === 'shared-secret') return { [header]: forged ? 'a guess' : verify.value(settings) };
  const raw = rawNotification(leaving);
  const genuine = Buffer.from(verify.over?.(raw) ?? raw.bytes);
  const over = forged ? Buffer.concat([genuine, Buffer.from(' ')]) : genuine;
  if (verify.scheme === 'hmac') {
    const digest = createHmac(verify.algorithm, hmacKeys(verify, settings)[0] ?? '')
      .update(over)
      .digest(verify.encoding);
    const signature = `${verify.prefix ?? ''}${digest}`;
    // The simulation began the list with what else stands in it: the time, for Stripe's.
    const begun = verify.separator === undefined ? undefined : raw.headers[header];
    return { [header]: begun === undefined ? signature : `${begun}${verify.separator}${signature}` };
  }
  if (privateKey === undefined) throw new Error(`${name} signs its notifications by RSA: give privateKey.`);
  return {
    [header]: createSign(verify.algorithm.toUpperCase()).update(over).sign(privateKey, verify.encoding),
  };
}
