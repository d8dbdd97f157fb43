import { beforeAll, describe, expect, test } from 'vitest';
import { buildChild } from './build-child.ts';
import { Deployment } from './deployment.ts';
import { FAULTS } from './faults.ts';
import type { Background } from './gate.ts';
import { crashSeries } from './series.ts';

/** No fault is in what the service does by itself: it is learnt once, of the service without one. */
let background: Background;

beforeAll(async () => {
  const built = await buildChild();
  try {
    const resting = await Deployment.start(built);
    background = await resting.idle().finally(() => resting.end());
  } finally {
    await built.remove();
  }
}, 300_000);

describe('the crash points show', { timeout: 1_800_000 }, () => {
  test.each(FAULTS)('$name', async ({ mutants, flow, at, says }) => {
    const built = await buildChild(mutants);
    try {
      const { failures } = await crashSeries(built, flow, background, (points) => points.filter(at));
      expect(failures).toContainEqual(expect.stringMatching(says));
      // Whoever is not killed does not see the fault.
      expect(failures.filter((each) => each.startsWith('not killed'))).toEqual([]);
    } finally {
      await built.remove();
    }
  });
});
