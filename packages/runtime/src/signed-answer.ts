import { createHash } from 'node:crypto';
import type { SignedAnswer, VisitEffect } from '@railyard/core/driver';
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';

type Values = Readonly<Record<string, unknown>>;

/** The visit whose answer is read. */
interface ReturnedVisit {
  readonly fields: VisitEffect['fields'];
  readonly nonce: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** FAPI 1.0 Advanced, 8.6. Both have SHA-256. */
const ALGORITHMS = ['PS256', 'ES256'];

/** How far the server's clock may be away. */
const TOLERANCE_SECONDS = 60;

/**
 * The values that an authorisation server has signed: FAPI 1.0 Advanced, 5.2.3; JARM, 2.4.
 *
 * @returns undefined where they are not genuine, or belong to another visit
 */
export async function signedValues(
  signed: SignedAnswer,
  values: Values,
  visit: ReturnedVisit,
): Promise<Values | undefined> {
  if (signed.by === 'id_token' && values.id_token === undefined && values.code === undefined)
    return values.state === visit.fields.state ? { error: values.error } : undefined;
  const claims = await claimsOf(signed, values[signed.by], visit.now);
  if (claims === undefined) return undefined;
  if (signed.by === 'response') return claims.state === visit.fields.state ? claims : undefined;
  const { code, state } = values;
  const isOfThisVisit =
    state === visit.fields.state &&
    claims.nonce === visit.nonce &&
    claims.c_hash === halfDigest(code) &&
    claims.s_hash === halfDigest(state);
  return isOfThisVisit ? { code } : undefined;
}

async function claimsOf(
  { keys, issuer, audience }: SignedAnswer,
  jwt: unknown,
  now: number,
): Promise<JWTPayload | undefined> {
  if (typeof jwt !== 'string') return undefined;
  const set: JSONWebKeySet = { keys: [...keys] };
  try {
    const { payload } = await jwtVerify(jwt, createLocalJWKSet(set), {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      currentDate: new Date(now),
      clockTolerance: TOLERANCE_SECONDS,
      requiredClaims: ['exp'],
    });
    return payload;
  } catch {
    return undefined;
  }
}

/** OpenID Connect Core 1.0, 3.3.2.11: the left half of the digest that the signature's algorithm has. */
function halfDigest(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
}
