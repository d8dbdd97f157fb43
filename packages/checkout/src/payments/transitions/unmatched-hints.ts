/** The subject of an unsigned notification: a provider's reference at a MID. */
export interface HintKey {
  readonly connectorId: string;
  readonly midId: string;
  readonly providerReference: string;
}

/** Hints that came before the reply that has their reference. */
export interface UnmatchedHints {
  keep(hint: HintKey): void;
  /** Whether there was such a hint; it is gone then. */
  take(hint: HintKey): boolean;
}

/** Anybody can send hints, so that only so many are kept, and none that is longer than an id. */
const MOST = 1000;
const LONGEST = 256;

/**
 * Kept in memory, the oldest given up first: a hint that is lost, or that came to another process, costs no more than the time until
 * the next lookup.
 */
export function unmatchedHints(): UnmatchedHints {
  const hints = new Set<string>();
  const keyOf = ({ connectorId, midId, providerReference: reference }: HintKey) =>
    JSON.stringify([connectorId, midId, reference]);
  return {
    keep(hint) {
      if (hint.providerReference.length > LONGEST) return;
      hints.add(keyOf(hint));
      const [oldest] = hints;
      if (hints.size > MOST && oldest !== undefined) hints.delete(oldest);
    },
    take: (hint) => hints.delete(keyOf(hint)),
  };
}
