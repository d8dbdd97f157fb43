import type { Connector, ProviderEvent, RawNotification } from '@railyard/core';
import { type ArrivedNotification, type CallProof, rawNotification } from '@railyard/core/driver';
import { askSafely } from './ask-safely.ts';
import { checkProof } from './check-proof.ts';
import { readBody } from './codecs.ts';
import { isNamed, storableEvent } from './storable.ts';
import type { Transport } from './transport.ts';

export type ReceivedNotification =
  | {
      readonly kind: 'events';
      readonly events: readonly ProviderEvent[];
      /** `false`: what the events say was not signed, so they are hints and `status` must be asked before anything changes. */
      readonly proven: boolean;
      readonly acknowledge: { readonly status: number; readonly body: string };
    }
  /**
   * `unsupported`: the connector takes none. `signature`, `stale`: not the provider, or not now. `malformed`: not understood. `unasked`: only
   * the provider can say whether it sent it, and `ask` asks; `unavailable`: it could not be asked, so the notification is wanted again.
   */
  | {
      readonly kind: 'refused';
      readonly why: 'unsupported' | 'signature' | 'stale' | 'malformed' | 'unasked' | 'unavailable';
      readonly detail: string;
      readonly ask?: (by: Asking) => Promise<ReceivedNotification>;
    };

/** By which means the provider is asked. */
interface Asking {
  readonly transport: Transport;
  /** Given to builders of requests as the key of their step. */
  readonly key: string;
}

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
  const { verify, codec } = declared;
  if (verify.scheme === 'call')
    return {
      kind: 'refused',
      why: 'unasked',
      detail: `${connector.id} is asked whether it sent a notification.`,
      ask: (by) => askProvider(connector, verify, settings, raw, by),
    };
  const problem = checkProof(verify, codec, settings, raw, nowMs);
  return problem === undefined ? readNotification(connector, settings, raw) : { kind: 'refused', ...problem };
}

/** Most of what a stranger sends is no notification at all: the provider is not asked about that. */
async function askProvider(
  connector: Connector,
  proof: CallProof<unknown>,
  settings: unknown,
  raw: RawNotification,
  by: Asking,
): Promise<ReceivedNotification> {
  const missing = proof.headers.find((name) => (raw.headers[name.toLowerCase()] ?? '') === '');
  if (missing !== undefined) return { kind: 'refused', why: 'signature', detail: `The header ${missing} is missing.` };
  const read = readNotification(connector, settings, raw);
  if (read.kind !== 'events') return read;
  const answer = await asked(connector, proof, settings, raw, by);
  if (answer === true) return read;
  return answer === false
    ? { kind: 'refused', why: 'signature', detail: 'The provider says that it did not send it.' }
    : { kind: 'refused', why: 'unavailable', detail: answer };
}

/** The provider's answer, or why there is none. */
async function asked(
  connector: Connector,
  proof: CallProof<unknown>,
  settings: unknown,
  raw: RawNotification,
  { transport, key }: Asking,
): Promise<boolean | string> {
  try {
    const answer = await askSafely({ connector, settings, transport, key }, proof.steps(raw, { settings }));
    if (answer.kind === 'answered') return answer.value;
    return 'endpoint' in answer ? `${answer.endpoint} gave no answer (${answer.kind}).` : answer.why;
  } catch {
    // The error's text may quote the notification, so it stays inside.
    return `${connector.id} could not ask the provider.`;
  }
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
  const { acknowledge } = declared;
  const reported = triedOf(() => declared.events(parsed.data, { settings, raw }));
  const body = triedOf(() => acknowledge?.bodyFor?.(parsed.data) ?? acknowledge?.body ?? '');
  // The error's text may quote the notification, so it stays inside.
  if (reported === undefined || body === undefined)
    return { kind: 'refused', why: 'malformed', detail: `${connector.id} could not read the notification.` };
  const proven = declared.verify.confirm === undefined;
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
    acknowledge: { status: acknowledge?.status ?? 200, body },
  };
}

const unsupported = ({ id }: Connector): ReceivedNotification => ({
  kind: 'refused',
  why: 'unsupported',
  detail: `${id} sends no notifications.`,
});

/** Nothing where the connector's own code throws. */
function triedOf<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
