import { readFileSync } from 'node:fs';
import { connectorTables, parameterTables, withGenerated } from '@railyard/core/markdown';
import { expect, it } from 'vitest';
import * as everything from '../src/index.ts';
import { registry } from './support/sessions.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const { conektaConnector, referenceVoucherConnector, voucherGatewayConnector } = everything;
const CONNECTORS = [conektaConnector, referenceVoucherConnector, voucherGatewayConnector];

/** `vitest run --update` writes the tables anew. */
it('shows what the declarations say: parameters, settings, calls and words', async () => {
  const parts = {
    parameters: parameterTables(registry),
    conekta: connectorTables(conektaConnector),
    reference: connectorTables(referenceVoucherConnector),
    gateway: connectorTables(voucherGatewayConnector),
  };
  await expect(withGenerated(readme, parts)).toMatchFileSnapshot('../README.md');
});

it('names every export, a dozen at most', () => {
  const names = Object.keys(everything);
  expect(names.length).toBeLessThanOrEqual(12);
  for (const name of names) expect(readme).toContain(`\`${name}\``);
  for (const { id } of CONNECTORS) expect(readme).toContain(`\`${id}\``);
});
