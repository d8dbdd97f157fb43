import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { markPure } from '../tools/pure-at-load.ts';

const marked = (text: string) =>
  markPure('a.ts', text).replaceAll('/* @__PURE__ */ (() => (', '#(').replaceAll('))()', ')#');

test.each([
  ['a call', 'const a = f();', 'const a = #(f())#;'],
  ['what holds one', 'export const a: T = { b: [new Map()] };', 'export const a: T = #({ b: [new Map()] })#;'],
  ['a property, which may be computed', 'const a = [b.c];', 'const a = #([b.c])#;'],
  ['a spread', 'const a = [1], c = [...a];', 'const a = [1], c = #([...a])#;'],
  ['no plain value', `const a = { b: [1, 'c'] };`, `const a = { b: [1, 'c'] };`],
  [
    'nothing that runs later',
    'const a = () => f();\nfunction b() { g(); }',
    'const a = () => f();\nfunction b() { g(); }',
  ],
  ['no statement, which is there for its effect', 'f();\nexport { a };', 'f();\nexport { a };'],
])('marks %s', (_what, text, expected) => {
  expect(marked(text)).toBe(expected);
});

test('a bundler drops what is marked and unused, and keeps what is used as it was', () => {
  const text = `import { z } from 'zod';
const most = { text: 3 };
const unused = z.object({ a: z.string().max(most.text) });
export const used = z.string();`;
  const options = { treeShaking: true, format: 'esm', minifySyntax: true } as const;
  expect(transformSync(text, options).code).toContain('max(');
  const code = transformSync(markPure('a.ts', text), options).code;
  expect(code).not.toContain('max(');
  expect(code).toMatch(/used = .*z\.string\(\)/);
});
