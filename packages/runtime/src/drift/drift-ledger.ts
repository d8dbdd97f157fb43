import { MORE } from './protocol-name.ts';
import type { DriftCount, Sighting } from './sighting.ts';

/** Of one endpoint and version; whatever else comes is counted together. Names that are data would have no end. */
const MOST_OF_AN_ENDPOINT = 200;

/** Counts sightings in memory until they are written down. */
export interface DriftLedger {
  readonly add: (sighting: Sighting) => void;
  /** Everything counted since it was last taken, in the same order in every process. */
  take(): readonly DriftCount[];
  /** Counts again the counts that were taken and could not be written. */
  putBack(counts: readonly DriftCount[]): void;
}

/** @param now milliseconds since 1970 */
export function driftLedger(now: () => number): DriftLedger {
  let counts = new Map<string, DriftCount>();
  const known = new Map<string, Set<string>>();

  /** The sighting itself, or what stands for those beyond the most. */
  const bounded = (sighting: Sighting): readonly [key: string, Sighting] => {
    const { connector, version, endpoint } = sighting;
    const place = `${connector}\n${version}\n${endpoint}`;
    const own = known.get(place) ?? new Set();
    known.set(place, own);
    const key = keyOf(sighting);
    if (own.has(key)) return [key, sighting];
    if (own.size < MOST_OF_AN_ENDPOINT) {
      own.add(key);
      return [key, sighting];
    }
    const more = { ...sighting, reply: '', status: 0, form: '', place: MORE };
    return [keyOf(more), more];
  };
  const addUp = (key: string, more: DriftCount) => {
    const before = counts.get(key);
    counts.set(key, before === undefined ? more : together(before, more));
  };

  return {
    add(given) {
      const at = now();
      const [key, sighting] = bounded(given);
      addUp(key, { ...sighting, seen: 1, firstSeen: at, lastSeen: at });
    },
    take() {
      const taken = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
      counts = new Map();
      return taken.map(([, count]) => count);
    },
    putBack(taken) {
      for (const count of taken) addUp(keyOf(count), count);
    },
  };
}

/** The same sighting, counted twice. */
export const together = (one: DriftCount, other: DriftCount): DriftCount => ({
  ...one,
  seen: one.seen + other.seen,
  firstSeen: Math.min(one.firstSeen, other.firstSeen),
  lastSeen: Math.max(one.lastSeen, other.lastSeen),
});

/** One line per part, none of which has a line break. */
export const keyOf = ({ connector, version, endpoint, kind, reply, status, place, form }: Sighting): string =>
  [connector, version, endpoint, kind, reply, status, place, form].join('\n');
