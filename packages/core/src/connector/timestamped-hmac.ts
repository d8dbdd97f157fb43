import type { NotificationVerification } from './proof.ts';

/** How far the signed time may be away: the time that providers in the field allow. */
const TOLERANCE_SECONDS = 300;

/**
 * The usual signature of notifications: `x-signature` is `sha256=` and the hexadecimal HMAC-SHA256 of `<x-timestamp>.<body>`, with seconds
 * since 1970 in `x-timestamp`, at most five minutes away.
 *
 * @example verify: timestampedHmac((settings: Settings) => settings.webhook_secret)
 */
export function timestampedHmac<S>(key: (settings: S) => string): NotificationVerification<S> {
  return {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'x-signature',
    prefix: 'sha256=',
    encoding: 'hex',
    key,
    over: ({ bytes }, { time }) => [`${time}.`, bytes],
    timestamp: { header: 'x-timestamp', toleranceSeconds: TOLERANCE_SECONDS },
  };
}
