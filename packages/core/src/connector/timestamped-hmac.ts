import type { NotificationVerification, RawNotification } from './notification.ts';

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
    over: ({ headers, body }) => `${headers['x-timestamp'] ?? ''}.${body}`,
    timestamp: { read: secondsOf, toleranceSeconds: TOLERANCE_SECONDS },
  };
}

/** The header of that time, for a simulation that signs so. @param event `now` is ISO 8601 in UTC */
export function timestampHeaders(event: { readonly now: string }): Readonly<Record<string, string>> {
  return { 'x-timestamp': String(Math.floor(Date.parse(event.now) / 1000)) };
}

function secondsOf({ headers }: RawNotification): number | undefined {
  const text = headers['x-timestamp'];
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number.parseInt(text, 10) : undefined;
}
