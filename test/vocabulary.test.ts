import { expect, test } from 'vitest';
import { replacedNames, SPEAKS_THE_GLOSSARY } from './gates/vocabulary.ts';
import { isBinary, textFiles } from './support/workspace.ts';

test('checkout, simulator, runtime, contract, kit, connectors, examples and guides speak the words of the glossary', () => {
  const files = textFiles((path) => SPEAKS_THE_GLOSSARY.test(path) && !isBinary(path));
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(replacedNames)).toEqual([]);
});

test('names a replaced word, its line and the term', () => {
  const text = "const a = 1;\nimport { beginPayment, beginDurably } from './begin.ts';";
  expect(replacedNames({ path: 'packages/checkout/src/a.ts', text })).toEqual([
    'packages/checkout/src/a.ts:2: says "beginPayment"; say startPayment or insertPayment, as docs/glossary.md does',
  ]);
});

test('names a value that is called "told", and no sentence that says it', () => {
  const text = '/** Told by the provider. */\nconst told = 1;\nexport type Asked = string;\nconst isTold = true;';
  expect(replacedNames({ path: 'examples/a/connector.ts', text })).toEqual([
    'examples/a/connector.ts:2: names a value or a type "told"; say what is reported, or by whom',
    'examples/a/connector.ts:3: names a value or a type "Asked"; say what is reported, or by whom',
  ]);
});

test.each([
  ['packages/checkout/src/storage/migrations/0001-first.ts', false],
  ['docs/decisions/payment-states.md', false],
  ['packages/connector-pix/src/index.ts', true],
  ['packages/cli/src/index.ts', false],
  ['packages/core/src/payment/decide.ts', true],
])('reads %s: %s', (path, reads) => {
  expect(SPEAKS_THE_GLOSSARY.test(path)).toBe(reads);
});
