import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { STATUS_DATA } from '../../src/deployment/catalogue.ts';
import { CONFIGURATION_TABLES, withTables } from '../support/configuration-tables.ts';

const file = new URL('../../../../docs/configuration.md', import.meta.url);

test('docs/configuration.md lists every setting as the schema has it', async () => {
  const document = readFileSync(file, 'utf8');
  const places = [...document.matchAll(/<!-- (\w+) -->/g)].map(([, name]) => name).filter((name) => name !== 'end');
  expect(places).toEqual([...CONFIGURATION_TABLES.keys()]);
  // After a change of a setting: pnpm vitest run --project checkout config/reference -u
  await expect(withTables(document)).toMatchFileSnapshot(fileURLToPath(file));
});

test('docs/callbacks.md lists every field that can be switched on', () => {
  const document = readFileSync(new URL('../../../../docs/callbacks.md', import.meta.url), 'utf8');
  const [, section = ''] = /\nThe merchant's setting `callbackData`([^]*?)\n## /.exec(document) ?? [];
  const cells = section.split('\n').flatMap((line) => /^\| (`[^|]*) \|/.exec(line)?.[1] ?? []);
  const listed = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(new Set([...listed, 'card'])).toEqual(new Set(STATUS_DATA));
});
