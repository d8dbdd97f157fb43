import { createHash, timingSafeEqual } from 'node:crypto';
import type { RawNotification } from '@railyard/core';
import {
  type CallProof,
  claimsOf,
  type JwsProof,
  listed,
  listOf,
  millisecondsOf,
  type NotificationVerification,
  type SignatureProof,
  timeTextOf,
  type TokenProof,
} from '@railyard/core/driver';
import { isSignedBy, readJws } from './proof-jws.ts';
import { decoded, signedBytes, type Verifier, verifiersOf } from './proof-signature.ts';

/** Why a notification proves nothing; without secrets, for the log. */
export interface NoProof {
  readonly why: 'signature' | 'stale';
  readonly detail: string;
}

/** A proof that can be checked here, without asking the provider. */
export type LocalProof = Exclude<NotificationVerification<unknown>, CallProof<unknown>>;

/** Longer ones and more of them are no provider's: each costs a computation. */
const MOST_TEXT = 8192;
const MOST_SIGNATURES = 10;

/**
 * Checks the proof of a notification over its bytes.
 *
 * @param body as its codec reads it, for a proof that stands there
 * @returns nothing where it is genuine
 */
export function checkProof(
  proof: LocalProof,
  body: unknown,
  settings: unknown,
  raw: RawNotification,
  nowMs: number,
): NoProof | undefined {
  try {
    if (proof.scheme === 'unsigned') return undefined;
    if (proof.scheme === 'jws') return checkJws(proof, settings, raw, nowMs);
    if (isToken(proof)) return checkToken(proof, settings, raw);
    return checkSignature(proof, body, settings, raw, nowMs);
  } catch {
    // The connector's own functions saw what the provider never sends. The error's text may quote it.
    return wrong('The proof could not be checked.');
  }
}

const wrong = (detail: string): NoProof => ({ why: 'signature', detail });
const WRONG = wrong('The signature is wrong.');

function isToken(proof: Exclude<LocalProof, JwsProof<unknown>>): proof is TokenProof<unknown> {
  return proof.scheme === 'shared-secret' || proof.scheme === 'basic' || proof.scheme === 'client-certificate';
}

function checkSignature(
  proof: SignatureProof<unknown>,
  body: unknown,
  settings: unknown,
  raw: RawNotification,
  nowMs: number,
): NoProof | undefined {
  const claims = claimsOf(proof, raw, body);
  if (claims.length === 0 || claims.some(({ signatures }) => signatures.length === 0))
    return wrong(`${placeOf(proof)} has no signature.`);
  const verifiers = verifiersOf(proof, listOf(proof.key(settings)));
  if (verifiers.length === 0) return wrong(`The settings have no key for ${proof.scheme}.`);
  const time = proof.timestamp === undefined ? '' : timeTextOf(proof, proof.timestamp, raw);
  if (time === undefined) return wrong('The signed time is missing, or stands there twice.');
  const genuine = claims.every(({ signatures, item }) => {
    const text = proof.over === undefined ? raw.bytes : proof.over(raw, { settings, time, item });
    return text !== undefined && isSigned(signedBytes(text), signatures, proof.encoding, verifiers);
  });
  if (!genuine) return WRONG;
  if (proof.timestamp === undefined) return undefined;
  return staleness(millisecondsOf(time, proof.timestamp), proof.timestamp.toleranceSeconds, nowMs);
}

function placeOf({ field, header }: SignatureProof<unknown>): string {
  return field === undefined ? `The header ${header}` : `The field ${field}`;
}

function isSigned(
  text: Uint8Array,
  signatures: readonly string[],
  encoding: SignatureProof<unknown>['encoding'],
  verifiers: readonly Verifier[],
): boolean {
  if (signatures.length > MOST_SIGNATURES) return false;
  return signatures
    .filter(({ length }) => length <= MOST_TEXT)
    .some((signature) => {
      const bytes = decoded(signature, encoding);
      return bytes !== undefined && verifiers.some((isGenuine) => isGenuine(text, bytes));
    });
}

/** A time that is none is far away too. */
function staleness(at: number | undefined, toleranceSeconds: number, nowMs: number): NoProof | undefined {
  if (at !== undefined && Math.abs(nowMs - at) <= toleranceSeconds * 1000) return undefined;
  return { why: 'stale', detail: `Signed more than ${toleranceSeconds} seconds away from now.` };
}

function checkJws(
  proof: JwsProof<unknown>,
  settings: unknown,
  raw: RawNotification,
  nowMs: number,
): NoProof | undefined {
  const text = raw.headers[proof.header.toLowerCase()];
  if (text === undefined) return wrong(`The header ${proof.header} has no signature.`);
  const jws = text.length > MOST_TEXT ? undefined : readJws(proof, proof.claims?.(settings) ?? {}, text);
  if (jws === undefined) return wrong(`The header ${proof.header} is not the declared detached signature.`);
  const key = new Map(Object.entries(proof.keys(settings))).get(jws.kid);
  if (key === undefined) return wrong('The settings have no key of the name that the signature gives (kid).');
  const payload = proof.over === undefined ? raw.bytes : proof.over(raw, { settings, time: '', item: undefined });
  const genuine = payload === undefined ? false : isSignedBy(jws, key, signedBytes(payload));
  if (genuine === undefined) return wrong(`The key in the settings is none for ${jws.algorithm}.`);
  if (!genuine) return WRONG;
  if (proof.timestamp === undefined) return undefined;
  const { claim, toleranceSeconds } = proof.timestamp;
  const at = jws.header.get(claim);
  return staleness(typeof at === 'number' ? at * 1000 : undefined, toleranceSeconds, nowMs);
}

function checkToken(proof: TokenProof<unknown>, settings: unknown, raw: RawNotification): NoProof | undefined {
  if (proof.scheme === 'client-certificate' && !raw.proxied)
    return wrong('The notification did not come through a proxy that the configuration names (trustedProxies).');
  const [place, expected] =
    proof.scheme === 'basic'
      ? [BASIC, listOf(proof.credentials(settings)).flatMap(basicOf)]
      : [proof, listOf(proof.value(settings)).filter((value) => value !== '')];
  if (expected.length === 0) return wrong(`The settings have nothing to compare with (${proof.scheme}).`);
  const given = listed(place, raw, place.prefix ?? '');
  if (given.length === 0) return wrong(`The header ${place.header} has no proof.`);
  const genuine = given
    .slice(0, MOST_SIGNATURES)
    .some((text) => text.length <= MOST_TEXT && expected.some((each) => sameSecret(text, each)));
  return genuine ? undefined : wrong('The shared secret is wrong.');
}

const BASIC = { header: 'authorization', prefix: 'Basic ' } as const;

/** RFC 7617, 2.1: UTF-8. Neither part may be empty: anybody could send that. */
function basicOf({ user, password }: { readonly user: string; readonly password: string }): readonly string[] {
  return user === '' || password === '' ? [] : [Buffer.from(`${user}:${password}`).toString('base64')];
}

/** Constant time whatever the lengths, because a secret's length is secret too. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
