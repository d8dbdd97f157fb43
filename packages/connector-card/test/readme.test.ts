import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parameterTables } from '@railyard/core/markdown';
import { bare } from '../../../test/support/bare-markdown.ts';
import { CARD_SETS } from '../src/methods/card-set.ts';
import * as everything from '../src/index.ts';
import { registry } from './support/sessions.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const connectors = [
  everything.acquirerConnector,
  everything.adyenConnector,
  everything.govukPayConnector,
  everything.stripeConnector,
];

it('shows the parameter tables of the declarations themselves', () => {
  expect(bare(readme)).toContain(bare(parameterTables(registry)));
});

it('names every connector and method that is exported, a dozen exports at most', () => {
  const names = Object.keys(everything);
  expect(names.length).toBeLessThanOrEqual(12);
  for (const name of names.filter((each) => each !== 'cardLimits')) expect(readme).toContain(`\`${name}\``);
});

it.each(connectors)(
  'describes every endpoint of $id with its path, every status word and every setting',
  (connector) => {
    expect(readme).toContain(`\`${connector.id}\``);
    for (const { name, method, path } of connector.endpoints)
      expect(readme).toContain(`\`${name}\` \`${method} ${path}\``);
    for (const word of Object.keys(connector.statuses.rows)) expect(readme).toContain(`\`${word}\``);
    for (const name of Object.keys(connector.settings.shape)) expect(readme).toContain(`\`${name}\``);
  },
);

it('names every set', () => {
  for (const set of CARD_SETS) expect(readme).toContain(`\`${set}\``);
});
