import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type BuiltChild, buildChild } from './build-child.ts';
import { Deployment } from './deployment.ts';
import { FLOWS } from './flows.ts';
import { type Background, nameOf } from './gate.ts';
import { chosen, every, ofEach, seed } from './sample.ts';
import { crashSeries } from './series.ts';

/** Points of each flow in the ordinary run, and flows; `npm run test:crash` takes all. */
const FEW = ofEach ?? 4;
const FEW_FLOWS = ofEach === undefined ? 1 : FLOWS.length;

/** A sample of all flows takes each on one of the engines, chosen by the seed: most of the time goes into what stands around a flow. */
const half = new Set(chosen(FLOWS, Math.ceil(FLOWS.length / 2), ({ name }) => `the engine of ${name}`));
const SAMPLED =
  ofEach === undefined ? FLOWS : FLOWS.filter((flow) => half.has(flow) === (inject('engine') === 'embedded'));

/** Where the long run leaves the number of points of each flow, for docs/reliability.md. */
const COUNTS = new URL(`../../../../.railyard/crash-points-${inject('engine')}.json`, import.meta.url);
const counts: Record<string, number> = {};

let built: BuiltChild;
let background: Background;

beforeAll(async () => {
  built = await buildChild();
  const resting = await Deployment.start(built);
  try {
    background = await resting.idle();
  } finally {
    await resting.end();
  }
}, 300_000);

afterAll(async () => {
  await built.remove();
  if (!every) return;
  mkdirSync(new URL('.', COUNTS), { recursive: true });
  writeFileSync(COUNTS, JSON.stringify(counts, undefined, 2));
});

describe('a service that is killed', { timeout: 3_600_000 }, () => {
  // Each flow has databases and processes of its own; two at once, as there are two cores (`maxConcurrency`).
  test.concurrent.each(chosen(SAMPLED, FEW_FLOWS, ({ name }) => name))(
    'at any point of $name moves money once and tells it',
    async (flow) => {
      const { points, tried, failures } = await crashSeries(built, flow, background, (all) => chosen(all, FEW, nameOf));
      counts[flow.name] = points.length;
      expect({ seed, failures }).toEqual({ seed, failures: [] });
      expect(tried).toBeGreaterThanOrEqual(FEW);
      expect(new Set(points.map(({ link }) => link))).toEqual(new Set(['database', 'provider', 'merchant']));
    },
  );
});
