import type { DriftCount } from '@railyard/runtime';

/** The counts of a log, added up. Other lines, and lines that are no JSON, are ignored. */
export async function countsIn(text: string): Promise<readonly DriftCount[]> {
  const { keyOf, readDriftLine, together } = await import('@railyard/runtime');
  const counts = new Map<string, DriftCount>();
  for (const line of text.split('\n')) {
    const count = readDriftLine(jsonOf(line));
    if (count === undefined) continue;
    const before = counts.get(keyOf(count));
    counts.set(keyOf(count), before === undefined ? count : together(before, count));
  }
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
