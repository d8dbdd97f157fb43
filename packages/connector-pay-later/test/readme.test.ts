import { readFileSync } from 'node:fs';
import { connectorTables, parameterTables, withGenerated } from '@railyard/core/markdown';
import { expect, it } from 'vitest';
import * as everything from '../src/index.ts';
import { registry } from './support/sessions.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const { hostedConnector, SUB_PROVIDERS } = everything;

const FIELDS = [...new Set(Object.values(SUB_PROVIDERS).flat())];
const cells = (...each: readonly string[]) => `| ${each.join(' | ')} |`;
const subProviders = [
  cells('field', ...Object.keys(SUB_PROVIDERS)),
  `|${'---|'.repeat(Object.keys(SUB_PROVIDERS).length + 1)}`,
  ...FIELDS.map((name) =>
    cells(
      `\`${name}\``,
      ...Object.values(SUB_PROVIDERS).map((needed) => (needed.some((each) => each === name) ? 'needed' : '')),
    ),
  ),
].join('\n');

/** `vitest run --update` writes the tables anew. */
it('shows what the declarations say: parameters, sub-providers, settings, calls and words', async () => {
  const parts = {
    parameters: parameterTables(registry),
    'sub-providers': subProviders,
    hosted: connectorTables(hostedConnector),
  };
  await expect(withGenerated(readme, parts)).toMatchFileSnapshot('../README.md');
});

it('names every export, a dozen at most', () => {
  const names = Object.keys(everything);
  expect(names.length).toBeLessThanOrEqual(12);
  for (const name of names) expect(readme).toContain(`\`${name}\``);
  expect(readme).toContain(`\`${hostedConnector.id}\``);
});
