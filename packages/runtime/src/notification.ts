import { type Connector, type ProviderEvent, type RawNotification, readPath } from '@railyard/core';
import {
  type ArrivedNotification,
  type CallProof,
  claimsOf,
  rawNotification,
  type SignatureProof,
  withPlace,
} from '@railyard/core/driver';
import { askSafely, type HeldCredentials } from './ask-safely.ts';
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
      /**
       * Whether the provider sent it. `false` where nothing is signed, and where only parts came that move no money and that the provider does
       * not sign: anybody could send them, so they are not worth keeping.
       */
      readonly genuine: boolean;
      /** Why a part was not understood, for each such part; without the notification's own text. The events come from the other parts. */
      readonly unread: readonly string[];
      readonly acknowledge: { readonly status: number; readonly body: string };
    }
  | {
      readonly kind: 'refused';
      readonly why: NotificationRefusal;
      readonly detail: string;
      readonly ask?: (by: Asking) => Promise<ReceivedNotification>;
    };

/**
 * `unsupported`: the connector takes none. `signature`, `stale`: not the provider, or not now. `malformed`: it is no text of which the
 * provider could be asked. `unasked`: only the provider can say whether it sent it, and `ask` asks; `unavailable`: it could not be asked, so
 * the notification is wanted again.
 */
export type NotificationRefusal = 'unsupported' | 'signature' | 'stale' | 'malformed' | 'unasked' | 'unavailable';

/** By which means the provider is asked. */
interface Asking {
  readonly transport: Transport;
  /** Given to builders of requests as the key of their step. */
  readonly key: string;
  /** The account, and the credentials that are held for it; without them each question gets its own. */
  readonly held?: HeldCredentials;
}

/**
 * Verifies a notification over its bytes as they arrived, then reads its events. One that is genuine is never refused, whatever it holds:
 * providers stop their deliveries after some refusals (Adyen its queue, Stripe the whole address).
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
  const { verify } = declared;
  const echo = triedOf(() => declared.addressCheck?.(raw, { settings }));
  if (echo !== undefined) return echoed(echo);
  for (const proof of declared.also ?? []) {
    const problem = checkProof(proof, undefined, settings, raw, nowMs);
    if (problem !== undefined) return { kind: 'refused', ...problem };
  }
  if (verify.scheme === 'call')
    return {
      kind: 'refused',
      why: 'unasked',
      detail: `${connector.id} is asked whether it sent a notification.`,
      ask: (by) => askProvider(connector, verify, settings, raw, by),
    };
  // Reading costs as much as the sender likes, so a body is read before its proof only where the proof is within it.
  const parts = isInFields(verify) ? signedParts(declared, verify, settings, raw) : [undefined];
  for (const part of parts) {
    const problem = checkProof(verify, part, settings, raw, nowMs);
    if (problem !== undefined) return { kind: 'refused', ...problem };
  }
  const read = readNotification(connector, settings, raw);
  return parts.length === 0 && read.kind === 'events' ? { ...read, proven: false, genuine: false } : read;
}

type FieldProof = Extract<SignatureProof<unknown>, { readonly field: string }>;
const isInFields = (proof: Declared['verify']): proof is FieldProof => 'field' in proof && proof.field !== undefined;

/**
 * Those that must be proven: Adyen signs each item but those about reports (REPORT_AVAILABLE), which move no money. Beside a part that is
 * signed, one that is not and says nothing that we understand is kept for an operator: it must not keep back the others.
 */
function signedParts(
  declared: Declared,
  proof: FieldProof,
  settings: unknown,
  raw: RawNotification,
): readonly unknown[] {
  const parts = partsOf(declared, readBody(raw.body, declared.codec)).map((part) => ({
    part,
    isSigned: claimsOf(proof, raw, part).some(({ signatures }) => signatures.length > 0),
  }));
  const isFromProvider = parts.some(({ isSigned }) => isSigned);
  return parts.flatMap(({ part, isSigned }) => {
    if (isSigned) return [part];
    const { events, unread } = readPart(declared, settings, raw, part);
    return events.length > 0 || (unread !== undefined && !isFromProvider) ? [part] : [];
  });
}

/** A question costs the account a call: none is asked without the provider's headers. */
async function askProvider(
  connector: Connector,
  proof: CallProof<unknown>,
  settings: unknown,
  raw: RawNotification,
  by: Asking,
): Promise<ReceivedNotification> {
  const missing = proof.headers.find((name) => (raw.headers[name.toLowerCase()] ?? '') === '');
  if (missing !== undefined) return { kind: 'refused', why: 'signature', detail: `The header ${missing} is missing.` };
  // Anything else that is put into the question could put further fields there.
  if (readBody(raw.body, connector.notifications?.codec ?? 'json') === undefined)
    return { kind: 'refused', why: 'malformed', detail: `The body is none that ${connector.id} could be asked about.` };
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
  { transport, key, held }: Asking,
): Promise<boolean | string> {
  try {
    const answer = await askSafely(
      { connector, settings, transport, key, ...(held && { held }) },
      proof.steps(raw, { settings }),
    );
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
  const body = readBody(raw.body, declared.codec);
  const proven = declared.verify.confirm === undefined;
  const parts = partsOf(declared, body).map((part) => readPart(declared, settings, raw, part));
  return {
    kind: 'events',
    events: parts.flatMap(({ events }) => events),
    proven,
    genuine: declared.verify.scheme !== 'unsigned',
    unread: parts.flatMap(({ unread }, at) =>
      unread === undefined ? [] : [parts.length === 1 ? unread : `Part ${at + 1} of ${parts.length}: ${unread}`],
    ),
    acknowledge: { status: declared.acknowledge?.status ?? 200, body: acknowledged(declared, body, raw) },
  };
}

type Declared = NonNullable<Connector['notifications']>;

/** The body once for each part that stands for itself, with that part alone. */
function partsOf({ items, verify }: Declared, body: unknown): readonly unknown[] {
  const [list] = (items ?? ('each' in verify ? verify.each : undefined))?.split('.*') ?? [];
  const all = list === undefined ? undefined : readPath(body, list);
  return list === undefined || !Array.isArray(all) || all.length < 2
    ? [body]
    : all.map((one: unknown) => withPlace(body, list, [one]));
}

interface ReadPart {
  readonly events: readonly ProviderEvent[];
  readonly unread?: string;
}

function readPart(declared: Declared, settings: unknown, raw: RawNotification, part: unknown): ReadPart {
  const parsed = declared.body.safeParse(part);
  if (!parsed.success) {
    const paths = parsed.error.issues.map((each) => each.path.join('.') || 'the body');
    return { events: [], unread: `It is not as declared at ${[...new Set(paths)].join(', ')}.` };
  }
  const reported = triedOf(() => declared.events(parsed.data, { settings, raw }));
  // The error's text may quote the notification, so it stays inside.
  if (reported === undefined) return { events: [], unread: 'The connector could not read its events.' };
  const named = reported.filter(isNamed);
  return {
    events: named.map(storableEvent),
    ...(named.length < reported.length && { unread: 'It names what cannot be kept.' }),
  };
}

/** The answer that the provider expects; where its body is made of a notification that is not understood, the fixed one. */
function acknowledged({ acknowledge, body }: Declared, given: unknown, raw: RawNotification): string {
  const fixed = acknowledge?.body ?? '';
  if (acknowledge?.bodyFor === undefined) return fixed;
  const parsed = body.safeParse(given);
  return (parsed.success ? triedOf(() => acknowledge.bodyFor?.(parsed.data, raw)) : undefined) ?? fixed;
}

/** A stranger may send it as well, and learns what they sent. */
const echoed = (body: string): ReceivedNotification => ({
  kind: 'events',
  events: [],
  proven: false,
  genuine: false,
  unread: [],
  acknowledge: { status: 200, body },
});

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
