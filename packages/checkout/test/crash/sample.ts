import { createHash, randomUUID } from 'node:crypto';

/** `all` in `npm run test:crash`, or how many of each flow; the ordinary run takes a few, other ones each time. */
const asked = process.env['RAILYARD_CRASH_POINTS'];
export const every = asked === 'all';

/** How many points of each flow are tried where all flows are, and not all points of them. */
export const ofEach = asked === undefined || every ? undefined : Number(asked);

/** Decides what the ordinary run takes; told when something fails, and given to see the same again. */
export const seed = process.env['RAILYARD_SEED'] ?? randomUUID().slice(0, 8);

/** All, or a few chosen by the seed, in their order. */
export function chosen<T>(all: readonly T[], few: number, nameOf: (each: T) => string): readonly T[] {
  if (every) return all;
  const ranks = new Map(
    all.map((each) => [
      each,
      createHash('sha256')
        .update(`${seed} ${nameOf(each)}`)
        .digest('hex'),
    ]),
  );
  const taken = new Set(
    [...ranks]
      .sort(([, a], [, b]) => a.localeCompare(b))
      .slice(0, few)
      .map(([each]) => each),
  );
  return all.filter((each) => taken.has(each));
}
