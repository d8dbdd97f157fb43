import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as everything from '../src/index.ts';
import { registry } from './support/sessions.ts';
import { parameterTables } from '@railyard/core/markdown';
import { bare } from '../../../test/support/bare-markdown.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('shows the parameter tables of the declarations themselves', () => {
  expect(bare(readme)).toContain(bare(parameterTables(registry)));
});

it('names every connector and method that is exported, a dozen exports at most', () => {
  const names = Object.keys(everything);
  expect(names.length).toBeLessThanOrEqual(12);
  for (const name of names.filter((each) => each !== 'pixLimits')) expect(readme).toContain(`\`${name}\``);
});

it('describes every endpoint with its path', () => {
  const { bcbConnector, instantConnector, collectionConnector, payerIdConnector } = everything;
  for (const { endpoints, id } of [bcbConnector, instantConnector, collectionConnector, payerIdConnector]) {
    expect(readme).toContain(`\`${id}\``);
    for (const { name, method, path } of endpoints) expect(readme).toContain(`\`${name}\` \`${method} ${path}\``);
  }
});

it('names every status word', () => {
  const { bcbConnector, instantConnector, collectionConnector, payerIdConnector } = everything;
  for (const { statuses } of [bcbConnector, instantConnector, collectionConnector, payerIdConnector])
    for (const word of Object.keys(statuses.rows)) expect(readme).toContain(`\`${word}\``);
});
