import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/commands/command.ts';
import { configProblems } from '../../src/index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('where no file is named, railyard.config.mjs of the folder is read, before .js and .ts', async () => {
  await expect(loadConfig(undefined, folder)).rejects.toThrow('There is no railyard.config.{mjs,js,ts} in');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'railyard.config.ts'), `export default { publicUrl: 'of-ts' as string };`);
  expect(await loadConfig(undefined, folder)).toMatchObject({ publicUrl: 'of-ts' });
  writeFileSync(join(folder, 'railyard.config.js'), `export default { publicUrl: 'of-js' };`);
  writeFileSync(join(folder, 'railyard.config.mjs'), `export default { publicUrl: 'of-mjs' };`);
  expect(await loadConfig(undefined, folder)).toMatchObject({ publicUrl: 'of-mjs' });
  expect(await loadConfig('railyard.config.js', folder)).toMatchObject({ publicUrl: 'of-js' });
});

test.each([
  ['nothing.mjs', undefined, 'There is no '],
  ['package.mjs', `import 'railyard-connector-nowhere';`, 'package.mjs cannot be loaded: Cannot find package'],
  ['named.mjs', 'export const config = {};', 'named.mjs has no default export'],
])('%s is refused with its name and what is wrong', async (name, text, why) => {
  if (text !== undefined) writeFileSync(join(folder, name), text);
  await expect(loadConfig(name, folder)).rejects.toThrow(why);
});

test.each([
  ['{ "conectors": [] }', 'connectors: is missing'],
  ['{ "connectors": [null] }', 'connectors.0: is no connector'],
  ['{ "connectors": {} }', 'connectors: is missing'],
])('%s is told as a problem with its path, as everything that is wrong', (text, problem) => {
  const config = JSON.parse(text);
  expect(configProblems(config)).toEqual(
    expect.arrayContaining([expect.stringContaining(problem), expect.stringContaining('publicUrl: ')]),
  );
});
