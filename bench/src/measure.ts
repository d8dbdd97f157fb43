/** The middle of several rounds, and the quarters below and above it. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/** The ratio of two things measured side by side, round by round, so that what disturbs a round disturbs both. */
export function ratioOf(values: readonly number[], others: readonly number[]): Spread {
  return spreadOf(values.map((value, round) => value / (others[round] ?? Number.NaN)));
}

/** Microseconds of one run, several ways of doing the same, in turn. */
export function interleaved<K extends string>(
  ways: Readonly<Record<K, () => unknown>>,
  rounds: number,
  runs: number,
): Record<string, number[]> {
  const found: Record<string, number[]> = {};
  const entries = Object.entries<() => unknown>(ways);
  for (const [, run] of entries) for (let warm = 0; warm < runs * 20; warm += 1) run();
  for (let round = 0; round < rounds; round += 1)
    for (const [name, run] of entries) {
      const start = process.hrtime.bigint();
      for (let at = 0; at < runs; at += 1) run();
      (found[name] ??= []).push(Number(process.hrtime.bigint() - start) / 1000 / runs);
    }
  return found;
}
