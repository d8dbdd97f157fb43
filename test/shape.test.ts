import { expect, test } from 'vitest';
import { shapeOffences } from './gates/shape.ts';
import { isCode, textFiles } from './support/workspace.ts';

const SOURCE = 'packages/core/src/a.ts';
const TEST = 'packages/core/test/a.test.ts';

test('every source and test file keeps to the form', () => {
  const files = textFiles(isCode);
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap(shapeOffences)).toEqual([]);
});

test.each([
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
  [SOURCE, `const a = 'TODO any parseFloat';`],
  [SOURCE, 'rows.skip(3);'],
  [TEST, `${'/'}/ @ts-${'expect-error'}\nx;`],
])('accepts %s with %j', (path, text) => {
  expect(shapeOffences({ path, text })).toEqual([]);
});
