import { readFileSync } from 'node:fs';
import { connectorTables, parameterTables, withGenerated } from '@railyard/core/markdown';
import { expect, it } from 'vitest';
import * as everything from '../src/index.ts';
import { registry } from './support/sessions.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const { gsmaConnector, hubConnector, paystackConnector, promptConnector, narrativeConnector } = everything;

/** `vitest run --update` writes the tables anew. */
it('shows what the declarations say: parameters, limits, settings, calls and words', async () => {
  const parts = {
    parameters: parameterTables(registry),
    gsma: connectorTables(gsmaConnector),
    paystack: connectorTables(paystackConnector),
    hub: connectorTables(hubConnector),
    prompt: connectorTables(promptConnector),
    narrative: connectorTables(narrativeConnector),
  };
  await expect(withGenerated(readme, parts)).toMatchFileSnapshot('../README.md');
});

it('names every export, sixteen at most', () => {
  const names = Object.keys(everything);
  expect(names.length).toBeLessThanOrEqual(16);
  for (const name of names) expect(readme).toContain(`\`${name}\``);
  for (const { id } of [gsmaConnector, hubConnector, paystackConnector, promptConnector, narrativeConnector])
    expect(readme).toContain(`\`${id}\``);
});
