import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ConfigError } from '../../src/deployment/catalogue.ts';
import { parseConfig } from '../../src/deployment/config.ts';
import { RETENTION_PLAN } from '../../src/storage/retention.ts';
import { RETENTION } from '../../src/storage/retention.ts';
import { pixConfig } from '../support/pix-config.ts';

const file = new URL('../../../../docs/storage.md', import.meta.url);
const config = pixConfig({ url: 'http://127.0.0.1:1', apiKey: 'a', webhookSecret: 'b' }, 'http://127.0.0.1:1', 0);

/** The plan as rows of a table. */
function planTable(): string {
  const rows = RETENTION_PLAN.map(({ setting, tables, personal, effect, never }) => {
    const names = tables.map((name) => `\`${name}\``).join(', ');
    return `| ${names} | ${personal} | \`${setting}\`, ${RETENTION[setting].days} | ${effect} | ${never} |`;
  });
  return [
    '| tables | what is personal | setting, days | what happens | never |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

test('docs/storage.md has the plan of retention as the code has it', async () => {
  const document = readFileSync(file, 'utf8').replace(
    /<!-- retention-plan -->\n[^]*?<!-- end -->/,
    () => `<!-- retention-plan -->\n\n${planTable()}\n\n<!-- end -->`,
  );
  expect(document).toContain(planTable());
  // After a change of the plan: pnpm vitest run --project checkout config/retention-table -u
  await expect(document).toMatchFileSnapshot(fileURLToPath(file));
});

test('every kind has its default without a setting, also where another one is set', () => {
  const usual = Object.fromEntries(Object.entries(RETENTION).map(([name, { days }]) => [name, days]));
  expect(parseConfig(config).retention).toEqual(usual);
  expect(parseConfig({ ...config, retention: { payments: 730 } }).retention).toEqual({ ...usual, payments: 730 });
});

test.each(Object.entries(RETENTION))('refuses fewer days for %s than its least', (name, { least }) => {
  expect(parseConfig({ ...config, retention: { [name]: least } }).retention).toHaveProperty(name, least);
  const refused = () => parseConfig({ ...config, retention: { [name]: least - 1 } });
  expect(refused).toThrow(ConfigError);
  expect(refused).toThrow(`retention.${name}`);
});
