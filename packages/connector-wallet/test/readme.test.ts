import { readFileSync } from 'node:fs';
import { connectorTables, parameterTables, withGenerated } from '@railyard/core/markdown';
import { expect, it } from 'vitest';
import * as everything from '../src/index.ts';
import * as methods from '../src/methods.ts';
import { registry } from './support/sessions.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const { paypalConnector, walletGatewayConnector } = everything;

/** `vitest run --update` writes the tables anew. */
it('shows what the declarations say: parameters, settings, calls and words', async () => {
  const parts = {
    parameters: parameterTables(registry),
    paypal: connectorTables(paypalConnector),
    'wallet-gateway': connectorTables(walletGatewayConnector),
  };
  await expect(withGenerated(readme, parts)).toMatchFileSnapshot('../README.md');
});

it('names every export and method, a dozen exports of the first entry at most', () => {
  const names = Object.keys(everything);
  expect(names.length).toBeLessThanOrEqual(12);
  for (const name of [...names, ...Object.keys(methods)]) expect(readme).toContain(`\`${name}\``);
  for (const { id } of [paypalConnector, walletGatewayConnector]) expect(readme).toContain(`\`${id}\``);
});
