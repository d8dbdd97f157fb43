import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { bundled, KB } from '../../../test/support/bundled.ts';

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

it('everything that takes payments fits in 15 KB', async () => {
  const { text, gzipped } = await bundled(source('src/index.ts'));
  expect(text).toContain('idempotency-key');
  expect(gzipped).toBeLessThan(15 * KB);
});

it('the methods alone fit in 5 KB and carry nothing of a provider', async () => {
  const { text, gzipped } = await bundled(source('src/methods.ts'));
  expect(text).toContain('bnrg_installm_plan');
  expect(text).not.toContain('idempotency-key');
  expect(gzipped).toBeLessThan(5 * KB);
});

// The tables of set 6 have more than a hundred names.
it('validation in a browser, core included, fits in 18 KB without zod', async () => {
  const { text, gzipped } = await bundled(source('test/fixtures/validate-in-a-browser.ts'), true);
  expect(text).toContain('bnrg_installm_plan');
  expect(text).not.toMatch(/from\s*"@railyard/);
  expect(gzipped).toBeLessThan(18 * KB);
});
