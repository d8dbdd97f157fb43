import { constants, createHash, createHmac, createPrivateKey, sign } from 'node:crypto';
import type { RawNotification } from '@railyard/core';
import {
  allProofs,
  type Codec,
  type JwsProof,
  listOf,
  type NotificationVerification,
  placesOf,
  rawNotification,
  type SignatureProof,
  type SignedText,
  type TokenProof,
  withPlace,
  writtenHeader,
  writtenTime,
} from '@railyard/core/driver';
import { computeSignature, readBody, signedBytes, writeBody } from '@railyard/runtime';
import type { Mount } from './mount.ts';

type Account = Pick<Mount, 'connector' | 'settings' | 'privateKey' | 'name'>;

/** A notification that leaves without a proof, and the value that its body is written from. */
export interface Unproven {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: unknown;
}

export interface Proven {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Moment {
  /** An attacker is at work, who knows no secret. */
  readonly forged: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * A notification with its proof, by the connector's own scheme: in headers, or in fields of the body.
 *
 * @throws Error for a scheme with a private key where the provider's is not given
 */
export function prove(account: Account, unproven: Unproven, moment: Moment): Proven {
  const { notifications } = account.connector;
  const { codec } = notifications ?? { codec: 'json' as const };
  const plain = { ...unproven, body: writeBody(unproven.value, codec) };
  if (notifications === undefined) return plain;
  // A signature may cover the body as it is sent.
  const proofs = allProofs(notifications).toSorted((one, other) => Number(isToken(other)) - Number(isToken(one)));
  return proofs.reduce((written, proof) => provenBy(proof, account, { ...written, codec }, moment), plain);
}

const isToken = ({ scheme }: NotificationVerification<unknown>): boolean =>
  scheme === 'shared-secret' || scheme === 'basic' || scheme === 'client-certificate';

/** A notification with its body as it was written so far. */
type Written = Unproven & Proven;

function provenBy(
  proof: NotificationVerification<unknown>,
  account: Account,
  written: Written & { readonly codec: Codec },
  moment: Moment,
): Written {
  const withHeaders = (more: Readonly<Record<string, string>>) => ({
    ...written,
    headers: { ...written.headers, ...more },
  });
  switch (proof.scheme) {
    case 'unsigned':
      return written;
    case 'shared-secret':
    case 'basic':
    case 'client-certificate':
      return withHeaders(token(proof, account, moment));
    case 'call':
      return withHeaders(callHeaders(proof.headers, readBody(written.body, written.codec), moment));
    case 'jws':
      return withHeaders({ [proof.header.toLowerCase()]: jws(proof, account, rawNotification(written), moment) });
    default:
      return signed(proof, account, written, moment);
  }
}

const GUESS = 'a guess';

function token(
  proof: TokenProof<unknown>,
  { settings }: Account,
  { forged }: Moment,
): Readonly<Record<string, string>> {
  if (proof.scheme !== 'basic') {
    const [value = ''] = listOf(proof.value(settings));
    return { [proof.header.toLowerCase()]: writtenHeader(proof, forged ? GUESS : value, undefined, '') };
  }
  const [{ user, password } = { user: '', password: '' }] = listOf(proof.credentials(settings));
  const text = `${user}:${forged ? GUESS : password}`;
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` };
}

/** Known to the simulated providers of this process alone, which are asked about their own notifications. */
const CALL_KEY = 'the simulated provider';

function callHeaders(names: readonly string[], body: unknown, { forged }: Moment): Readonly<Record<string, string>> {
  const value = forged ? GUESS : callProof(body);
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), value]));
}

/** The proof of a notification that its provider is asked about. @param body as it is read */
export function callProof(body: unknown): string {
  return createHmac('sha256', CALL_KEY)
    .update(JSON.stringify(body) ?? '')
    .digest('hex');
}

function signed(
  proof: SignatureProof<unknown>,
  account: Account,
  written: Written & { readonly codec: Codec },
  { forged, now }: Moment,
): Written {
  const { url, headers, value, codec, body } = written;
  const { timestamp } = proof;
  const time = timestamp === undefined ? '' : timeOf(timestamp, headers, now);
  const timed =
    timestamp !== undefined && 'header' in timestamp ? { ...headers, [timestamp.header.toLowerCase()]: time } : headers;
  const signatureOf = (item: unknown, body: string) => {
    const raw = rawNotification({ url, headers: timed, body });
    const text = proof.over === undefined ? raw.bytes : proof.over(raw, { settings: account.settings, time, item });
    return signatureBy(proof, account, bytesOf(text ?? '', forged)).toString(proof.encoding);
  };
  if (proof.field === undefined) {
    const header = writtenHeader(proof, signatureOf(undefined, body), timestamp, time);
    return { ...written, headers: { ...timed, [proof.header.toLowerCase()]: header } };
  }
  // As the receiver reads them; the written value keeps its own numbers.
  const { field, each } = proof;
  const inBody = placesOf({ field, ...(each !== undefined && { each }) }, readBody(body, codec))
    // A part that is not there has no signature.
    .filter(({ value: item }) => item !== undefined)
    .reduce<unknown>(
      (before, { at, value: item }) => withPlace(before, at === '' ? field : `${at}.${field}`, signatureOf(item, body)),
      value,
    );
  return { ...written, headers: timed, value: inBody, body: writeBody(inBody, codec) };
}

/** The time that the simulation gave, or now. */
function timeOf(
  timestamp: NonNullable<SignatureProof<unknown>['timestamp']>,
  headers: Readonly<Record<string, string>>,
  now: number,
): string {
  const given = 'header' in timestamp ? headers[timestamp.header.toLowerCase()] : undefined;
  return given ?? writtenTime(now, timestamp);
}

const bytesOf = (text: SignedText, forged: boolean): Uint8Array => signedBytes(forged ? [...listOf(text), ' '] : text);

function signatureBy(proof: SignatureProof<unknown>, account: Account, text: Uint8Array): Buffer {
  if (proof.scheme === 'hmac') {
    const [key = ''] = listOf(proof.key(account.settings));
    return createHmac(proof.algorithm, key).update(text).digest();
  }
  if (proof.scheme === 'digest') return createHash(proof.algorithm).update(text).digest();
  const key = createPrivateKey(privateKeyOf(account, proof.scheme));
  if (proof.scheme === 'ed25519') return sign(undefined, text, key);
  const how =
    proof.scheme === 'ecdsa'
      ? { dsaEncoding: proof.format === 'raw' ? ('ieee-p1363' as const) : ('der' as const) }
      : proof.padding === 'pss'
        ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
        : {};
  return sign(proof.algorithm, text, { key, ...how });
}

function privateKeyOf({ privateKey, name }: Account, scheme: string): string {
  if (privateKey === undefined) throw new Error(`${name} signs its notifications by ${scheme}: give privateKey.`);
  return privateKey;
}

function jws(proof: JwsProof<unknown>, account: Account, raw: RawNotification, { forged, now }: Moment): string {
  const { settings } = account;
  const [algorithm] = proof.algorithms;
  const [[kid, key] = ['', '']] = Object.entries(proof.keys(settings));
  const claims = proof.claims?.(settings) ?? {};
  const seconds = Math.floor(now / 1000);
  const timed = proof.timestamp === undefined ? {} : { [proof.timestamp.claim]: seconds };
  const crit = Object.keys({ ...claims, ...timed });
  const text = proof.over === undefined ? raw.bytes : proof.over(raw, { settings, time: '', item: undefined });
  const payload = Buffer.from(bytesOf(text ?? '', forged)).toString('utf8');
  return computeSignature(
    {
      scheme: 'jws',
      algorithm,
      key: algorithm.startsWith('HS') ? Buffer.from(key).toString('utf8') : privateKeyOf(account, algorithm),
      header: () => ({ kid, ...claims, ...timed, ...(crit.length > 0 && { crit }) }),
      over: () => payload,
      unencoded: proof.unencoded ?? false,
      into: { header: proof.header },
    },
    { method: raw.method, path: raw.path, body: raw.body, headers: raw.headers },
    { now: seconds, id: '' },
  );
}
