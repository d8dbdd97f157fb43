import { expect, test } from 'vitest';
import { shapeOffences, type Exceptions } from './gates/shape.ts';
import { isCode, textFiles } from './support/workspace.ts';

/** Files that may be longer than others, each with the reason. */
const LONGER: Exceptions = {};

const SOURCE = 'packages/core/src/a.ts';
const TEST = 'packages/core/test/a.test.ts';

test('every source and test file keeps to the form', () => {
  const files = textFiles(isCode);
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap((file) => shapeOffences(file, LONGER))).toEqual([]);
});

test('no exception is left for a file that is gone', () => {
  const known = new Set(textFiles(isCode).map((file) => file.path));
  expect(Object.keys(LONGER).filter((path) => !known.has(path))).toEqual([]);
});

test.each([
  [SOURCE, 'x;\n'.repeat(301), `${SOURCE}: has 301 lines, 300 are allowed`],
  [TEST, 'x;\n'.repeat(601), `${TEST}: has 601 lines, 600 are allowed`],
  [SOURCE, `function f() {\n${'x;\n'.repeat(69)}}`, `${SOURCE}:1: has a function of 71 lines, 70 are allowed`],
  [SOURCE, `const f = () => {\n${'x;\n'.repeat(69)}};`, `${SOURCE}:1: has a function of 71 lines, 70 are allowed`],
  [
    SOURCE,
    `const f = () => ({\ng() {\n${'x;\n'.repeat(69)}},\n});`,
    `${SOURCE}:2: has a function of 71 lines, 70 are allowed`,
  ],
  [SOURCE, 'let a: any;', `${SOURCE}:1: uses any`],
  [TEST, 'let a: Map<string, any>;', `${TEST}:1: uses any`],
  [SOURCE, 'const a = b as unknown as string;', `${SOURCE}:1: casts through unknown`],
  [SOURCE, 'const a = (b as unknown) as string;', `${SOURCE}:1: casts through unknown`],
  [SOURCE, 'const a = Number.parseFloat(b);', `${SOURCE}:1: uses parseFloat`],
  [SOURCE, `${'/'}/ TO${'DO'}: later`, `${SOURCE}:1: leaves a note to do something later`],
  [SOURCE, `${'/'}/ @ts-${'ignore'}\nx;`, `${SOURCE}:1: silences the compiler`],
  [SOURCE, `${'/'}/ @ts-${'expect-error'}\nx;`, `${SOURCE}:1: silences the compiler`],
  [
    SOURCE,
    `${'/'}/ oxlint-${'disable'}-next-line no-console\nx;`,
    `${SOURCE}:1: silences the linter without a reason (\` -- because …\`)`,
  ],
  [
    SOURCE,
    `${'/'}/ oxlint-${'disable'}-next-line railyard/pure -- because\nx;`,
    `${SOURCE}:1: silences a rule of this repository`,
  ],
  [TEST, `test.only('a', f);`, `${TEST}:1: uses .only; a test runs, or says through requireTool why it cannot`],
  [TEST, `it.skip('a', f);`, `${TEST}:1: uses .skip; a test runs, or says through requireTool why it cannot`],
  [TEST, `describe.todo('a');`, `${TEST}:1: uses .todo; a test runs, or says through requireTool why it cannot`],
  [TEST, `ctx.skip('a');`, `${TEST}:1: uses .skip; a test runs, or says through requireTool why it cannot`],
])('refuses %s with %j', (path, text, offence) => {
  expect(shapeOffences({ path, text })).toEqual([offence]);
});

test.each([
  [SOURCE, 'x;\n'.repeat(300)],
  [TEST, 'x;\n'.repeat(600)],
  [SOURCE, `function f() {\n${'x;\n'.repeat(68)}}`],
  [SOURCE, `const f = () => ({\n${'g() {\nx;\n},\n'.repeat(60)}});`],
  [SOURCE, `const a = 'TODO any parseFloat';`],
  [SOURCE, 'rows.skip(3);'],
  [TEST, `${'/'}/ @ts-${'expect-error'}\nx;`],
  [TEST, `describe('a', () => {\n${'x;\n'.repeat(200)}});`],
])('accepts %s with %j', (path, text) => {
  expect(shapeOffences({ path, text })).toEqual([]);
});
