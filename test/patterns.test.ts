import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { patternOffences, patternsToCheck, type Reasons } from './gates/patterns.ts';
import { isCode, isTest, root, textFiles } from './support/workspace.ts';

/** Files whose patterns are not checked one by one. */
const REASONS: Reasons = {
  'packages/cli/src/record/golden.ts':
    'a path of the connector that its author records, with fixed text between places',
  'packages/cli/src/record/scrub.ts': 'looks through what an author records on their own machine',
  'packages/conformance/src/checks/secrets.ts': 'one fixed text between two signs',
  'packages/conformance/src/play/traffic.ts': 'a path of the connector under test, with fixed text between places',
  'packages/core/src/folded-codes.ts': 'a fixed number of signs',
  'packages/core/src/method/text-rules.ts': 'each of its patterns is checked where a connector writes it',
  'packages/runtime/src/card-mask.ts': 'one fixed text of digits between two signs; its cost is counted in a test',
  'packages/simulator/src/match-endpoint.ts': 'one part of a path of a connector that its author simulates',
};

const path = 'packages/checkout/src/a.ts';

const isSource = (path: string) => /^packages\/[^/]+\/src\//.test(path) && isCode(path) && !isTest(path);

const LIST = 'test/fixtures/safe-patterns.txt';
const listed = readFileSync(join(root, LIST), 'utf8').trimEnd().split('\n');
/** Patterns that were found safe are not checked again: that takes minutes. */
const checked = new Set(listed);

test('no pattern of a source takes longer than in proportion to a hostile text', async () => {
  const sources = textFiles(isSource);
  expect(sources.length).toBeGreaterThan(300);
  expect(await patternOffences(sources, REASONS, checked)).toEqual([]);
});

test(`${LIST} holds the checked patterns of the sources, each on a line: add a new one once the test above is green`, () => {
  expect(listed).toEqual(patternsToCheck(textFiles(isSource), REASONS));
});

test('a pattern on the list is not checked again', async () => {
  const slow = [{ path, text: String.raw`const a = /\/+$/;` }];
  expect(await patternOffences(slow, {}, new Set([String.raw`/\/+$/`]))).toEqual([]);
});

test('every reason is for a file that is there', () => {
  const paths = new Set(textFiles(isSource).map(({ path }) => path));
  expect(Object.keys(REASONS).filter((path) => !paths.has(path))).toEqual([]);
});

test.each([
  ['that tries all ways to share a text', String.raw`const a = /^(\w+)+$/;`, /exponential/],
  ['that looks for the end from every place', String.raw`const a = /\/+$/;`, /polynomial/],
  ['of a computed text', 'const a = new RegExp(text);', /computes a pattern/],
])('a pattern %s is refused', async (_what, text, offence) => {
  expect(await patternOffences([{ path, text }], {})).toEqual([expect.stringMatching(offence)]);
});

test.each([
  String.raw`const a = /(?<!\/)\/+$/;`,
  String.raw`const a = /^[\w.-]{1,64}$/;`,
  'const a = /[0-9a-f]{8}-4/g;',
])('accepts %s', async (text) => {
  expect(await patternOffences([{ path, text }], {})).toEqual([]);
});
