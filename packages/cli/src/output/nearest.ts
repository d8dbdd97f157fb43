/** The name that was probably meant; none where all are far away. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const found = names
    .map((name) => ({ name, distance: distance(given.toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance)[0];
  return found !== undefined && found.distance <= Math.max(1, Math.floor(given.length / 3)) ? found.name : undefined;
}

/** How many letters have to be added, removed, changed or swapped with their neighbour (Damerau-Levenshtein). */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const change = one[at - 1] === other[to - 1] ? 0 : 1;
      const best = Math.min(
        (rows[at - 1]?.[to] ?? 0) + 1,
        (row[to - 1] ?? 0) + 1,
        (rows[at - 1]?.[to - 1] ?? 0) + change,
      );
      const swapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      row.push(swapped ? Math.min(best, (rows[at - 2]?.[to - 2] ?? 0) + 1) : best);
    }
    rows.push(row);
  }
  return rows[one.length]?.[other.length] ?? 0;
}
