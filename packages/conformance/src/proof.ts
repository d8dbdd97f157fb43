import { readPath } from '@railyard/core';
import {
  type ArrivedNotification,
  listOf,
  type NotificationVerification,
  placesOf,
  rawNotification,
  withPlace,
} from '@railyard/core/driver';

type Proof = NotificationVerification<unknown>;

/** The secrets that a proof is checked with, as text; none where a public key, a certificate or the provider itself is asked. */
export function secretsOf(proof: Proof, settings: unknown): readonly string[] {
  switch (proof.scheme) {
    case 'hmac':
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

/** Whether the time of a notification is signed, so that a replay is told from the provider's own delivery. */
export const isTimed = (proof: Proof): boolean => 'timestamp' in proof && proof.timestamp !== undefined;

/** A notification as an attacker without the secret can make it of a genuine one, and how. */
export type Forgery = readonly [how: string, raw: ArrivedNotification];

export function forgeries(proof: Proof, raw: ArrivedNotification): readonly Forgery[] {
  if (proof.scheme === 'unsigned') return [];
  const made = proofsOf(proof, raw).flatMap(({ text, replaced }): readonly Forgery[] => [
    ['without its proof', replaced(undefined)],
    ['with an empty proof', replaced('')],
    ['with a guessed proof', replaced(text.replaceAll(/[a-z0-9]/gi, (letter) => (letter === '1' ? '2' : '1')))],
    // Base64 ends with up to two signs that say nothing.
    ['with a proof that is cut short', replaced(text.slice(0, -4))],
  ]);
  if (proof.scheme === 'client-certificate') return [...made, ['that came past the proxy', { ...raw, proxied: false }]];
  return coversBody(proof) ? [...made, ...otherBodies(raw)] : made;
}

/** Whether every byte of the body is signed. */
function coversBody(proof: Proof): boolean {
  if (proof.confirm !== undefined || ('field' in proof && proof.field !== undefined)) return false;
  return proof.scheme !== 'shared-secret' && proof.scheme !== 'basic' && proof.scheme !== 'client-certificate';
}

const otherBodies = (raw: ArrivedNotification): readonly Forgery[] => {
  const { bytes: _bytes, ...rest } = raw;
  return [
    ['with another body', { ...rest, body: `${raw.body} ` }],
    ['with a body that is cut short', { ...rest, body: raw.body.slice(0, -1) }],
    ['with another amount', { ...rest, body: raw.body.replace(/\d/, (digit) => (digit === '9' ? '8' : '9')) }],
  ];
};

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
      replaced: (by) => ({ ...rest, body: JSON.stringify(withPlace(body, at === '' ? field : `${at}.${field}`, by)) }),
    }));
  }
  return headersOf(proof).map((name) => {
    const { [name]: text = '', ...others } = raw.headers;
    return {
      text,
      replaced: (by) => ({ ...raw, headers: by === undefined ? others : { ...others, [name]: by } }),
    };
  });
}

function headersOf(proof: Exclude<Proof, { readonly scheme: 'unsigned' }>): readonly string[] {
  if (proof.scheme === 'basic') return ['authorization'];
  if (proof.scheme === 'call') return proof.headers.map((name) => name.toLowerCase());
  return proof.header === undefined ? [] : [proof.header.toLowerCase()];
}
