import { expect, test } from 'vitest';
import { proseOffences, READ_BY_STRANGERS } from './gates/prose.ts';
import { isBinary, textFiles } from './support/workspace.ts';

const SOURCE = 'packages/core/src/a.ts';
const NAME = 'name the actor: payer, merchant, provider, operator, caller, process';
const BEGIN = 'a comment begins with "What"; begin with the thing itself: "The state that a lookup reports."';

test('sources, pages and titles of tests name the actor, and no comment begins with "What"', () => {
  const files = textFiles((path) => READ_BY_STRANGERS.test(path) && !isBinary(path));
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(proseOffences)).toEqual([]);
});

test.each([
  'README.md',
  'docs/operating.md',
  'docs/decisions/storage-postgresql.md',
  'packages/core/README.md',
  'packages/checkout/src/page/page.css',
  'packages/core/test/a.test.ts',
])('reads %s', (path) => {
  expect(READ_BY_STRANGERS.test(path)).toBe(true);
});

test.each(['packages/core/test/support/a.ts', 'CHANGELOG.md', 'packages/core/package.json'])(
  'leaves %s alone',
  (path) => {
    expect(READ_BY_STRANGERS.test(path)).toBe(false);
  },
);

test.each([
  ['docs/a.md', '# A\n\nNobody knows.', [`docs/a.md:3: says "Nobody"; ${NAME}`]],
  ['README.md', 'an outcome that nobody knows', [`README.md:1: says "nobody"; ${NAME}`]],
  [SOURCE, "const text = 'Where it is for somebody else.';", [`${SOURCE}:1: says "somebody"; ${NAME}`]],
  [SOURCE, '/** A lookup, whoever asks. */', [`${SOURCE}:1: says "whoever"; ${NAME}`]],
  [
    'docs/a.md',
    'whoever asks hears nobody',
    ['whoever', 'nobody'].map((word) => `docs/a.md:1: says "${word}"; ${NAME}`),
  ],
  ['test/a.test.ts', "  test('that nobody takes', () => {", [`test/a.test.ts:1: says "nobody"; ${NAME}`]],
  ['test/a.test.ts', "])('$id is asked of nobody', () => {", [`test/a.test.ts:1: says "nobody"; ${NAME}`]],
  ['test/a.test.ts', "describe.each(all)('whoever asks', () => {", [`test/a.test.ts:1: says "whoever"; ${NAME}`]],
  [SOURCE, '/** What a lookup says. */', [`${SOURCE}:1: ${BEGIN}`]],
  [SOURCE, 'const a = 1;\n/**\n * What a lookup says.\n */', [`${SOURCE}:3: ${BEGIN}`]],
  [SOURCE, '  // What is left.', [`${SOURCE}:1: ${BEGIN}`]],
  [SOURCE, 'const a = 1; // What is left.', [`${SOURCE}:1: ${BEGIN}`]],
  [SOURCE, '/* What is left. */', [`${SOURCE}:1: ${BEGIN}`]],
])('refuses in %s %j', (path, text, offences) => {
  expect(proseOffences({ path, text })).toEqual(offences);
});

test.each([
  [SOURCE, '/** The state that a lookup reports; what is left is refunded. */'],
  [SOURCE, '/** Whatever arrives. */'],
  [SOURCE, "const title = 'What to do';"],
  ['test/a.test.ts', "    client_key: 'nobody',"],
  ['docs/a.md', '* What to do'],
])('accepts in %s %j', (path, text) => {
  expect(proseOffences({ path, text })).toEqual([]);
});
