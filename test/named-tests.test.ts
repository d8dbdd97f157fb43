import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { textFiles } from './support/workspace.ts';

test('every test that a page names is there', () => {
  const tests = new Set(textFiles((path) => path.endsWith('.test.ts')).map(({ path }) => basename(path)));
  const pages = textFiles((path) => path.endsWith('.md'));
  const named = pages.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/`(?:[\w./-]+\/)?([\w-]+\.test\.ts)`/g), ([, name = '']) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(5);
  // `my-…` is the reader's own.
  expect(named.filter(({ name }) => !tests.has(name) && !name.startsWith('my-'))).toEqual([]);
});
