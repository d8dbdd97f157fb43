import type { SealedPlace, Sealer } from './sealer.ts';

export interface InHandOptions {
  /** Texts at most, in each of two turns. */
  readonly most?: number;
  /** Calls back when a turn is over; half a minute unless given; for tests. */
  readonly later?: (turn: () => void) => void;
}

interface Text {
  readonly sealed: string;
  readonly text: string;
  readonly place: SealedPlace;
}

/** A longer text is opened again: what is in hand are some megabytes at most. */
const MAX_LENGTH = 4096;
const IV = { from: 'v1.01234567.'.length, to: 'v1.01234567.'.length + 16 } as const;

/**
 * A sealer that has the texts in hand which it sealed or opened a moment ago, of the places that are read soon: a payment opens its input, its
 * callbacks and its session's request within a second after this process has sealed them. What is in hand is given only for the same sealed text
 * in the same place, so a text that was changed in the database, or moved, is refused as ever. After a minute none is in hand.
 *
 * @example const sealer = withTextsInHand(createSealer([key]));
 */
export function withTextsInHand(sealer: Sealer, { most = 256, later = inHalfAMinute }: InHandOptions = {}): Sealer {
  let young = new Map<string, Text>();
  let old = new Map<string, Text>();
  let isTurning = false;
  const turn = () => {
    old = young;
    young = new Map();
  };
  const turnLater = () => {
    isTurning = true;
    later(() => {
      turn();
      if (old.size > 0) turnLater();
      else isTurning = false;
    });
  };
  const keep = (sealed: string, text: string, place: SealedPlace) => {
    if (place.isReadSoon !== true || text.length > MAX_LENGTH) return;
    if (young.size >= most) turn();
    young.set(ivOf(sealed), { sealed, text, place });
    if (!isTurning) turnLater();
  };
  return {
    keyId: sealer.keyId,
    seal(secret, place) {
      const sealed = sealer.seal(secret, place);
      if (typeof secret === 'string') keep(sealed, secret, place);
      return sealed;
    },
    open(sealed, place) {
      const iv = ivOf(sealed);
      const known = place.isReadSoon === true ? (young.get(iv) ?? old.get(iv)) : undefined;
      if (known?.sealed === sealed && isSame(known.place, place)) return known.text;
      const text = sealer.open(sealed, place);
      keep(sealed, text, place);
      return text;
    },
    openBytes: (sealed, place) => sealer.openBytes(sealed, place),
  };
}

const isSame = (one: SealedPlace, other: SealedPlace): boolean =>
  one.row === other.row && one.column === other.column && one.table === other.table;

/** No two sealed texts have the same. */
const ivOf = (sealed: string): string => sealed.slice(IV.from, IV.to);

const inHalfAMinute = (turn: () => void) => void setTimeout(turn, 30_000).unref();
