import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SUBJECTS } from '../src/checks.ts';

const page = new URL('../CHECKS.md', import.meta.url);

/** The page's table: every check in the order in which it runs, with the property that it catches the lack of. */
const rows = Object.entries(SUBJECTS).flatMap(([subject, checks]) =>
  checks.map(({ id, level, title }) => `| \`${id}\` | ${subject} | ${level} | ${title} |`),
);

test('the page lists every check by its id, its level and what holds where it passes', () => {
  const listed = readFileSync(page, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(listed).toEqual(rows);
});
