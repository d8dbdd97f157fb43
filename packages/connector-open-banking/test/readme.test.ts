import { readFileSync } from 'node:fs';
import { connectorTables, parameterTables, withGenerated } from '@railyard/core/markdown';
import { expect, it } from 'vitest';
import { expectedOf } from '../src/identifications.ts';
import * as everything from '../src/index.ts';
import { registry } from './support/sessions.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const { gatewayConnector, identificationTypes, initiationConnector, obUkConnector } = everything;

/** `vitest run --update` writes the tables anew. */
it('shows what the declarations say: parameters, types, settings, calls and words', async () => {
  const parts = {
    parameters: parameterTables(registry),
    identifications: [
      '| type | identification |',
      '|---|---|',
      ...identificationTypes.map((type) => `| \`${type}\` | ${expectedOf(type)} |`),
    ].join('\n'),
    'ob-uk': connectorTables(obUkConnector),
    initiation: connectorTables(initiationConnector),
    gateway: connectorTables(gatewayConnector),
  };
  await expect(withGenerated(readme, parts)).toMatchFileSnapshot('../README.md');
});

it('names every export, a dozen at most', () => {
  const names = Object.keys(everything);
  expect(names.length).toBeLessThanOrEqual(12);
  for (const name of names) expect(readme).toContain(`\`${name}\``);
  for (const { id } of [obUkConnector, initiationConnector, gatewayConnector]) expect(readme).toContain(`\`${id}\``);
});
