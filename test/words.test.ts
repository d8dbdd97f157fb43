import { expect, test } from 'vitest';
import { wordOffences } from './gates/words.ts';
import { isBinary, textFiles } from './support/workspace.ts';

test('the repository speaks only of itself', () => {
  const files = textFiles((path) => !isBinary(path));
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap(wordOffences)).toEqual([]);
});

test.each([
  ['made by cla_ude', 'a tool of the workplace'],
  ['see ../sha_red/spec', 'a folder outside of the repository'],
  ['cd /wo_rk/main', 'a folder of one machine'],
  ['"/op_t/rt/bin"', 'a folder of one machine'],
  ['https://regis_try.npmjs.org/zod', 'the host of a registry'],
  ['a help_er session', 'a role of the workplace'],
])('refuses %j', (text, what) => {
  expect(wordOffences({ path: 'a.md', text: text.replace('_', '') })).toEqual([`a.md:1: names ${what}`]);
});

test.each([
  'a work/shared folder',
  'user-agent',
  'import "../shared/types.ts"',
  'new Agent()',
  'the registry of methods',
])('accepts %j', (text) => {
  expect(wordOffences({ path: 'a.md', text })).toEqual([]);
});
