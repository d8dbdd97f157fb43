import { createHmac, createVerify, timingSafeEqual } from 'node:crypto';
import type { Connector, ProviderEvent, RawNotification } from '@railyard/core';
import {
  type ArrivedNotification,
  hmacKeys,
  type NotificationVerification,
  rawNotification,
} from '@railyard/core/driver';
import { readBody } from './codecs.ts';
import { isNamed, storableEvent } from './storable.ts';

export type ReceivedNotification =
  | {
      readonly kind: 'events';
      readonly events: readonly ProviderEvent[];
      /** `false`: nothing was signed, so the events are hints and `status` must be asked before anything changes. */
      readonly proven: boolean;
      readonly acknowledge: { readonly status: number; readonly body: string };
    }
  /** `unsupported`: the connector takes none. `signature`, `stale`: not the provider, or not now. `malformed`: not understood. */
  | {
      readonly kind: 'refused';
      readonly why: 'unsupported' | 'signature' | 'stale' | 'malformed';
      readonly detail: string;
    };

/**
 * Verifies a notification over its bytes as they arrived, then reads its events.
 *
 * @param nowMs milliseconds since 1970, for the signed time
 */
export function receiveNotification(
  connector: Connector,
  settings: unknown,
  arrived: ArrivedNotification,
  nowMs: number,
): ReceivedNotification {
  const declared = connector.notifications;
  if (declared === undefined) return unsupported(connector);
  const raw = rawNotification(arrived);
  const problem = verify(declared.verify, settings, raw, nowMs);
  return problem ?? readNotification(connector, settings, raw);
}

/** Reads the events of a notification that was verified when it arrived: a key that changed since then does not matter. */
export function readNotification(
  connector: Connector,
  settings: unknown,
  arrived: ArrivedNotification,
): ReceivedNotification {
  const declared = connector.notifications;
  if (declared === undefined) return unsupported(connector);
  const raw = rawNotification(arrived);
  const parsed = declared.body.safeParse(readBody(raw.body, declared.codec));
  if (!parsed.success) {
    const paths = parsed.error.issues.map((each) => each.path.join('.') || 'the body').join(', ');
    return { kind: 'refused', why: 'malformed', detail: `Not a notification of ${connector.id}: ${paths}.` };
  }
  const reported = readEvents(() => declared.events(parsed.data, { settings, raw }));
  // The error's text may quote the notification, so it stays inside.
  if (reported === undefined)
    return { kind: 'refused', why: 'malformed', detail: `${connector.id} could not read the notification.` };
  const proven = declared.verify.scheme !== 'unsigned';
  const named = reported.filter(isNamed);
  // Of an unsigned one the rest is still a hint.
  if (proven && named.length < reported.length)
    return {
      kind: 'refused',
      why: 'malformed',
      detail: `A notification of ${connector.id} names what cannot be kept.`,
    };
  return {
    kind: 'events',
    events: named.map(storableEvent),
    proven,
    acknowledge: { status: declared.acknowledge?.status ?? 200, body: declared.acknowledge?.body ?? '' },
  };
}

const unsupported = ({ id }: Connector): ReceivedNotification => ({
  kind: 'refused',
  why: 'unsupported',
  detail: `${id} sends no notifications.`,
});

function readEvents(read: () => readonly ProviderEvent[]): readonly ProviderEvent[] | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

type Refusal = Extract<ReceivedNotification, { kind: 'refused' }>;

const refuse = (why: 'signature' | 'stale', detail: string): Refusal => ({ kind: 'refused', why, detail });

function verify(
  verification: NotificationVerification<unknown>,
  settings: unknown,
  raw: RawNotification,
  nowMs: number,
): Refusal | undefined {
  if (verification.scheme === 'unsigned') return undefined;
  const given = raw.headers[verification.header.toLowerCase()];
  if (given === undefined) return refuse('signature', `The header ${verification.header} is missing.`);
  if (verification.scheme === 'shared-secret') {
    const secret = verification.value(settings);
    return secret !== '' && sameText(given, secret) ? undefined : refuse('signature', 'The shared secret is wrong.');
  }
  const over = verification.over?.(raw) ?? raw.bytes;
  if (verification.scheme === 'rsa') {
    const genuine = createVerify(verification.algorithm.toUpperCase())
      .update(over)
      .verify(verification.key(settings), given, verification.encoding);
    return genuine ? undefined : refuse('signature', 'The signature is wrong.');
  }
  // Anybody can sign with an empty key.
  const keys = hmacKeys(verification, settings).filter((key) => key.length > 0);
  if (keys.length === 0) return refuse('signature', 'The settings have no key.');
  const candidates = verification.separator === undefined ? [given] : given.split(verification.separator);
  const genuine = keys.some((key) => {
    const digest = createHmac(verification.algorithm, key).update(over).digest(verification.encoding);
    const expected = `${verification.prefix ?? ''}${digest}`;
    return candidates.some((candidate) => sameText(candidate.trim(), expected));
  });
  if (!genuine) return refuse('signature', 'The signature is wrong.');
  const { timestamp } = verification;
  if (timestamp === undefined) return undefined;
  const seconds = timestamp.read(raw);
  // A time that is no number is far away too.
  if (seconds === undefined || !(Math.abs(nowMs / 1000 - seconds) <= timestamp.toleranceSeconds))
    return refuse('stale', `Signed more than ${timestamp.toleranceSeconds} seconds away from now.`);
  return undefined;
}

/** Constant time for texts of one length; the length of a signature is no secret. */
function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
