import { type ProviderEvent, readPath } from '@railyard/core';
import {
  type ArrivedNotification,
  listOf,
  type NotificationVerification,
  placesOf,
  proofHeaders,
  rawNotification,
} from '@railyard/core/driver';
import { readNotification, type ReceivedNotification } from '@railyard/runtime';
import { BEGINNING } from './host/world.ts';
import { leavesOf, withValue } from './leaves.ts';
import type { Subject } from './subject.ts';

type Proof = NotificationVerification<unknown>;

/** The secrets that a proof is checked with, as text; none where a public key, a certificate or the provider itself is asked. */
export function secretsOf(proof: Proof, settings: unknown): readonly string[] {
  switch (proof.scheme) {
    case 'hmac':
    case 'digest':
      return listOf(proof.key(settings)).map((key) =>
        typeof key === 'string' ? key : Buffer.from(key).toString('latin1'),
      );
    case 'shared-secret':
      return listOf(proof.value(settings));
    case 'basic':
      return listOf(proof.credentials(settings)).map(({ password }) => password);
    default:
      return [];
  }
}

/** Calls what a proof makes of the settings and of a notification. */
export function touchProof(proof: Proof, settings: unknown, arrived: ArrivedNotification): void {
  const raw = rawNotification(arrived);
  secretsOf(proof, settings);
  if ('key' in proof) proof.key(settings);
  if (proof.scheme === 'client-certificate') proof.value(settings);
  if (proof.scheme === 'call') proof.steps(raw, { settings }).next();
  if (proof.scheme === 'jws') {
    proof.keys(settings);
    proof.claims?.(settings);
  }
  if ('over' in proof) proof.over?.(raw, { settings, time: '', item: undefined });
}

/** Whether the time of a notification is signed, so that a replay is distinguished from the provider's own delivery. */
export const isTimed = (proof: Proof): boolean => 'timestamp' in proof && proof.timestamp !== undefined;

/** A notification as an attacker without the secret can make it of a genuine one, and how. */
export type Forgery = readonly [how: string, raw: ArrivedNotification];

/** Of each proof while the others stay genuine. */
export function forgeriesOf(proofs: readonly Proof[], raw: ArrivedNotification): readonly Forgery[] {
  return proofs.flatMap((proof) =>
    forgeries(proof, raw).map(([how, forgery]): Forgery => [
      proofs.length === 1 ? how : `${how} (${proof.scheme})`,
      forgery,
    ]),
  );
}

function forgeries(proof: Proof, raw: ArrivedNotification): readonly Forgery[] {
  if (proof.scheme === 'unsigned') return [];
  const made = proofsOf(proof, raw).flatMap(({ text, replaced }): readonly Forgery[] => [
    ['without its proof', replaced(undefined)],
    ['with an empty proof', replaced('')],
    ['with a guessed proof', replaced(text.replaceAll(/[a-z0-9]/gi, (letter) => (letter === '1' ? '2' : '1')))],
    // Base64 ends with up to two signs that say nothing.
    ['with a proof that is cut short', replaced(text.slice(0, -4))],
  ]);
  if (proof.scheme === 'client-certificate') return [...made, ['that came past the proxy', { ...raw, proxied: false }]];
  return coversBody(proof) ? [...made, ...otherBodies(raw, proof.scheme === 'call')] : made;
}

/** Whether every byte of the body is signed. */
function coversBody(proof: Proof): boolean {
  if (proof.confirm !== undefined || ('field' in proof && proof.field !== undefined)) return false;
  return proof.scheme !== 'shared-secret' && proof.scheme !== 'basic' && proof.scheme !== 'client-certificate';
}

/** @param read whether the provider is asked about the body as it is read, so that a blank at its end is the same body */
function otherBodies(raw: ArrivedNotification, read: boolean): readonly Forgery[] {
  const { bytes: _bytes, ...rest } = raw;
  return [
    ...(read ? [] : [['with another body', { ...rest, body: `${raw.body} ` }] as const]),
    ['with a body that is cut short', { ...rest, body: raw.body.slice(0, -1) }],
    ['with another amount', { ...rest, body: raw.body.replace(/\d/, (digit) => (digit === '9' ? '8' : '9')) }],
  ];
}

/** Where a notification carries its proof, and the same notification with another one there. */
interface CarriedProof {
  readonly text: string;
  replaced(by: string | undefined): ArrivedNotification;
}

function proofsOf(
  proof: Exclude<Proof, { readonly scheme: 'unsigned' }>,
  raw: ArrivedNotification,
): readonly CarriedProof[] {
  if ('field' in proof && proof.field !== undefined) {
    const { field, each } = proof;
    const { bytes: _bytes, ...rest } = raw;
    const body: unknown = JSON.parse(raw.body);
    return placesOf({ field, ...(each !== undefined && { each }) }, body).map(({ at, value }) => ({
      text: String(readPath(value, field)),
      replaced: (by) => ({ ...rest, body: JSON.stringify(withValue(body, at === '' ? field : `${at}.${field}`, by)) }),
    }));
  }
  return proofHeaders(proof).map((name) => {
    const { [name]: text = '', ...others } = raw.headers;
    return {
      text,
      replaced: (by) => ({ ...raw, headers: by === undefined ? others : { ...others, [name]: by } }),
    };
  });
}

/**
 * The events of a notification, or why it is refused. One about which its provider would be asked is read as if it had said that it is its
 * own: whether it does is checked by `notification-forged`.
 */
export function readProven(
  { connector, settings, machinery }: Pick<Subject, 'connector' | 'settings' | 'machinery'>,
  raw: ArrivedNotification,
  now: number,
): ReceivedNotification {
  const received = machinery.receive(connector, settings, raw, now);
  return received.kind === 'refused' && received.ask !== undefined
    ? readNotification(connector, settings, raw)
    : received;
}

/** The settings of an account whose key is another one; nothing where the key is none of the settings. */
export function settingsOfAnother(proof: Proof, settings: unknown): unknown {
  if (typeof settings !== 'object' || settings === null || proof.scheme === 'call') return undefined;
  const changed = Object.entries(settings).flatMap(([name, value]) => {
    const other = typeof value === 'string' ? { [name]: [...value].toReversed().join('') } : {};
    return materialOf(proof, { ...settings, ...other }) === materialOf(proof, settings) ? [] : [other];
  });
  return changed.length === 0 ? undefined : Object.assign({}, settings, ...changed);
}

/** All that a proof takes from the settings, as text. */
function materialOf(proof: Proof, settings: unknown): string {
  if (proof.scheme === 'jws') return JSON.stringify([proof.keys(settings), proof.claims?.(settings)]);
  if ('key' in proof) return JSON.stringify(listOf(proof.key(settings)).map((key) => Buffer.from(key).toString('hex')));
  if (proof.scheme === 'client-certificate') return JSON.stringify(proof.value(settings));
  return JSON.stringify(secretsOf(proof, settings));
}

/** More leaves than a signed notification has; each costs a reading. */
const MOST_LEAVES = 100;

/** A place of the body that can be changed without the proof being wrong, and changes what an event says of the payment. */
export function uncovered(
  subject: Pick<Subject, 'connector' | 'settings' | 'machinery'>,
  raw: ArrivedNotification,
): string | undefined {
  const proof = subject.connector.notifications?.verify;
  if (proof === undefined || !('field' in proof) || proof.field === undefined || proof.confirm !== undefined)
    return undefined;
  const { bytes: _bytes, ...rest } = raw;
  const body: unknown = JSON.parse(raw.body);
  const saidBy = (text: string) => {
    const received = readProven(subject, { ...rest, body: text }, BEGINNING);
    return received.kind === 'events' && received.proven ? JSON.stringify(received.events.map(gist)) : undefined;
  };
  const said = saidBy(raw.body);
  return leavesOf(body)
    .slice(0, MOST_LEAVES)
    .map(({ place }) => place)
    .find((place) => {
      const changed = saidBy(JSON.stringify(withValue(body, place, otherThan(readPath(body, place)))));
      return changed !== undefined && changed !== said;
    });
}

const otherThan = (value: unknown) =>
  typeof value === 'number' ? value + 1 : value === 'true' ? 'false' : `${String(value)}1`;

/** The parts of an event on which money depends; a provider's words about it may stand outside of what it signs. */
function gist(event: ProviderEvent): unknown {
  const { kind, id, providerReference, merchantReference } = event;
  const outcome = 'outcome' in event ? event.outcome : undefined;
  const amount =
    'amount' in event ? event.amount.text : outcome !== undefined && 'amount' in outcome ? outcome.amount?.text : '';
  return { kind, id, providerReference, merchantReference, status: outcome?.status, amount };
}
