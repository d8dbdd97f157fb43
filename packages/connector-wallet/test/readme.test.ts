import { readFileSync } from 'node:fs';
import { connectorTables, parameterTables, withGenerated } from '@railyard/core/markdown';
import { expect, it } from 'vitest';
import * as everything from '../src/index.ts';
import * as methods from '../src/methods.ts';
import { registry } from './support/sessions.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const connectors = Object.values(everything).filter((each) => 'serves' in each);

/** `vitest run --update` writes the tables anew. */
it('shows what the declarations say: parameters, settings, calls and words', async () => {
  const tables = connectors.map((connector) => [connector.id, connectorTables(connector)]);
  const parts = { parameters: parameterTables(registry), ...Object.fromEntries(tables) };
  await expect(withGenerated(readme, parts)).toMatchFileSnapshot('../README.md');
});

it('names every export, a dozen of the first entry at most, and every method', () => {
  expect(Object.keys(everything).length).toBeLessThanOrEqual(12);
  for (const name of [...Object.keys(everything), ...Object.keys(methods)]) expect(readme).toContain(`\`${name}\``);
  for (const { id } of connectors) expect(readme).toContain(`\`${id}\``);
});
