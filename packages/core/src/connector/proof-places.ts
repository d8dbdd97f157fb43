import { ownProperty, readPath } from '../plain-data.ts';
import type { FieldPlace, FurtherProof, HeaderPlace, NotificationVerification, SignedTime } from './proof.ts';
import type { RawNotification } from './raw-notification.ts';

/** The headers that carry a proof, in lower case: a secret may stand there as it is, so they are neither stored nor logged. */
export function proofHeaders(proof: NotificationVerification<unknown>): readonly string[] {
  if (proof.scheme === 'unsigned') return [];
  if (proof.scheme === 'basic') return ['authorization'];
  if (proof.scheme === 'call') return proof.headers.map((name) => name.toLowerCase());
  return proof.header === undefined ? [] : [proof.header.toLowerCase()];
}

/** Every proof that a notification must have, that of `verify` first. */
export const allProofs = ({ verify, also = [] }: Proofs): readonly NotificationVerification<unknown>[] => [
  verify,
  ...also,
];

interface Proofs {
  readonly verify: NotificationVerification<unknown>;
  readonly also?: readonly FurtherProof<unknown>[];
}

/** A part of a notification that must be proven, and the signatures that it carries. */
export interface Claim {
  readonly signatures: readonly string[];
  /** The part of the body that carries the signature, where it stands in a field. */
  readonly item: unknown;
}

type Place = HeaderPlace | FieldPlace;

/** The parts that must be proven. None: nothing of it is signed. @param body as its codec reads it */
export function claimsOf(place: Place, raw: RawNotification, body: unknown): readonly Claim[] {
  if (place.field === undefined) return [{ signatures: listed(place, raw, place.prefix ?? ''), item: undefined }];
  return placesOf(place, body).map(({ value: item }) => {
    const signature = readPath(item, place.field);
    return { signatures: typeof signature === 'string' ? [signature] : [], item };
  });
}

/** The texts of a header, or of its items, that begin so; without the beginning. */
export function listed(place: HeaderPlace, { headers }: RawNotification, beginning: string): readonly string[] {
  const text = headers[place.header.toLowerCase()];
  if (text === undefined) return [];
  const items = place.separator === undefined ? [text] : text.split(place.separator).map((item) => item.trim());
  return items.filter((item) => item.startsWith(beginning)).map((item) => item.slice(beginning.length));
}

/** The signed time as it is written; nothing where there is none, or several. */
export function timeTextOf(place: Place, timestamp: SignedTime, raw: RawNotification): string | undefined {
  if ('header' in timestamp) return raw.headers[timestamp.header.toLowerCase()];
  const times = place.field === undefined ? listed(place, raw, timestamp.item) : [];
  return times.length === 1 ? times[0] : undefined;
}

/** From here on a number counts milliseconds: as seconds it is the year 5138, as milliseconds 1973. */
const MILLISECONDS_FROM = 1e11;

/** Milliseconds since 1970 of a written time; nothing where it is none. A number says by itself whether it counts seconds. */
export function millisecondsOf(text: string, { unit }: Pick<SignedTime, 'unit'>): number | undefined {
  if (unit === 'iso') {
    const at = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(at) ? undefined : at;
  }
  if (!/^\d{1,15}$/.test(text)) return undefined;
  const number = Number(text);
  return number < MILLISECONDS_FROM ? number * 1000 : number;
}

/** A time as the provider writes it. */
export function writtenTime(milliseconds: number, { unit = 'seconds' }: Pick<SignedTime, 'unit'>): string {
  if (unit === 'iso') return new Date(milliseconds).toISOString();
  return String(unit === 'seconds' ? Math.floor(milliseconds / 1000) : milliseconds);
}

/** The value of a header that carries a signature, with the time where it stands beside it. */
export function writtenHeader(
  { prefix = '', separator = '' }: HeaderPlace,
  signature: string,
  timestamp: SignedTime | undefined,
  time: string,
): string {
  const begun = timestamp !== undefined && 'item' in timestamp ? `${timestamp.item}${time}${separator}` : '';
  return `${begun}${prefix}${signature}`;
}

/** Where the signed parts of a body are: dotted places with the numbers of list elements, and the values there. */
export function placesOf(
  { each }: FieldPlace,
  body: unknown,
): readonly { readonly at: string; readonly value: unknown }[] {
  let found: readonly { readonly at: string; readonly value: unknown }[] = [{ at: '', value: body }];
  for (const name of each?.split('.') ?? [])
    found = found.flatMap(({ at, value }) =>
      (name === '*' ? namesOf(value) : [name]).map((one) => ({
        at: at === '' ? one : `${at}.${one}`,
        value: ownProperty(value, one),
      })),
    );
  return found;
}

const namesOf = (value: unknown) => (Array.isArray(value) ? [...value.keys()].map(String) : []);
