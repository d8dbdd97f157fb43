import { readFileSync } from 'node:fs';
import { connectorTables, parameterTables, withGenerated } from '@railyard/core/markdown';
import { expect, test } from 'vitest';
import { exampleMethod, examplePayConnector } from '../src/index.ts';

test('the README shows what the declarations say; `npm run readme` writes it anew', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const parts = {
    parameters: parameterTables({ methods: [exampleMethod] }),
    connector: connectorTables(examplePayConnector),
  };
  await expect(withGenerated(readme, parts)).toMatchFileSnapshot('../README.md');
});
