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

/** A longer text is opened: what is in hand is some megabytes at most. */
const MAX_LENGTH = 4096;
/** Where the IV stands in a sealed text: behind the version and the key's id. No two sealed texts have the same one. */
const IV = { from: 'v1.01234567.'.length, to: 'v1.01234567.'.length + 16 } as const;

/**
 * A sealer that has texts in hand from when it seals them until they are opened for the first time: a payment opens its input and its callbacks
 * some milliseconds after this process has sealed them. Only places of `isOpenedSoon` are kept so. A text is given for the same sealed text
 * in the same place alone, so one that was changed in the database, or moved, is refused as ever. One that is not asked for is gone after a minute.
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
    if (young.size >= most) turn();
    young.set(ivOf(sealed), { sealed, text, place });
    if (!isTurning) turnLater();
  };
  const give = (sealed: string, place: SealedPlace): string | undefined => {
    const iv = ivOf(sealed);
    const known = young.get(iv) ?? old.get(iv);
    if (known?.sealed !== sealed || !isSame(known.place, place)) return undefined;
    young.delete(iv);
    old.delete(iv);
    return known.text;
  };
  return {
    keyId: sealer.keyId,
    seal(secret, place) {
      const sealed = sealer.seal(secret, place);
      if (place.isOpenedSoon === true && typeof secret === 'string' && secret.length <= MAX_LENGTH)
        keep(sealed, secret, place);
      return sealed;
    },
    open: (sealed, place) => give(sealed, place) ?? sealer.open(sealed, place),
    openBytes: (sealed, place) => sealer.openBytes(sealed, place),
  };
}

const isSame = (one: SealedPlace, other: SealedPlace): boolean =>
  one.row === other.row && one.column === other.column && one.table === other.table;

const ivOf = (sealed: string): string => sealed.slice(IV.from, IV.to);

const inHalfAMinute = (turn: () => void) => void setTimeout(turn, 30_000).unref();
