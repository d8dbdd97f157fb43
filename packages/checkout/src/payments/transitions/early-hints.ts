/** The subject of an unsigned notification: a provider's reference at a MID. */
export interface Named {
  readonly connectorId: string;
  readonly midId: string;
  readonly providerReference: string;
}

/** Hints that came before the answer that tells us their reference. */
export interface EarlyHints {
  keep(named: Named): void;
  /** Whether there was such a hint; it is gone then. */
  take(named: Named): boolean;
}

/** Anybody can send hints, so that only so many are kept, and none that is longer than an id. */
const MOST = 1000;
const LONGEST = 256;

/**
 * Kept in memory, the oldest given up first: a hint that is lost, or that came to another process, costs no more than the time until
 * the next lookup.
 */
export function earlyHints(): EarlyHints {
  const kept = new Set<string>();
  const keyOf = ({ connectorId, midId, providerReference: reference }: Named) =>
    JSON.stringify([connectorId, midId, reference]);
  return {
    keep(named) {
      if (named.providerReference.length > LONGEST) return;
      kept.add(keyOf(named));
      const [oldest] = kept;
      if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
    },
    take: (named) => kept.delete(keyOf(named)),
  };
}
