import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { jsonInPipe, runInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

// Below the package, so that what is written here finds the connector.
const folder = mkdtempSync(fixture('conform-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'instant.mjs');
writeFileSync(
  file,
  `export { instantConnector } from '@railyard/connector-pix';\nexport { instantSimulation } from '@railyard/connector-pix/simulation';\n`,
);

describe('railyard conform', () => {
  test('runs every check of the kit and answers by the level that is reached', async () => {
    const { code, answer } = await jsonInPipe(['conform', '--connector', file]);
    expect(answer.connector).toBe('pix-instant');
    expect(answer.results.length).toBeGreaterThan(20);
    expect(code).toBe(0);
    expect(answer.level).toBe('required');
    const asked = await runInPipe(['conform', '--level', 'recommended', '--connector', file]);
    expect(asked.code).toBe(1);
    expect(asked.said).toMatch(
      /^goldens-for-every-endpoint\trecommended\tfailed\tendpoints\.get-charge: It has no golden/m,
    );
    expect(asked.said).toMatch(/^mid-values-can-be-left-out\trequired\tskipped\tNo sample has values of the MID\.$/m);
    const counts = /^pix-instant: required; (\d+) of (\d+) checks passed, (\d+) failed, (\d+) skipped, in \d+ ms$/m;
    const [passed = 0, all, failed = 0, skipped = 0] = (counts.exec(asked.said) ?? []).slice(1).map(Number);
    expect(passed + failed + skipped).toBe(all);
  });

  test('of a level that is none says which there are', async () => {
    const { code, complained } = await runInPipe(['conform', '--level', 'best', '--connector', file]);
    expect({ code, complained }).toEqual({
      code: 2,
      complained: expect.stringContaining('--level is one of required, recommended, excellent.'),
    });
  });
});
