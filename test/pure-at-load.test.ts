import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { markCalls } from '../tools/pure-at-load.ts';

const marked = (text: string) => markCalls('a.ts', text).replaceAll('/* @__PURE__ */ ', '#');

test.each([
  ['a call', 'const a = f();', 'const a = #f();'],
  ['a chain once', 'const a = z.string().max(3);', 'const a = #z.string().max(3);'],
  ['calls within', 'const a = { b: [new Map(), f(g())] };', 'const a = { b: [#new Map(), #f(#g())] };'],
  ['exported ones', 'export const a = f();', 'export const a = #f();'],
  ['not what runs later', 'const a = () => f();\nfunction b() { g(); }', 'const a = () => f();\nfunction b() { g(); }'],
  ['not statements, which are there for their effect', 'f();\nexport { a };', 'f();\nexport { a };'],
])('marks %s', (_what, text, expected) => {
  expect(marked(text)).toBe(expected);
});

test('a bundler drops what is marked and unused', () => {
  const text = `import { z } from 'zod';\nconst used = z.string();\nconst unused = z.object({ a: z.string().max(3) });\nexport { used };`;
  const options = { treeShaking: true, format: 'esm' } as const;
  expect(transformSync(text, options).code).toContain('max(3)');
  expect(transformSync(markCalls('a.ts', text), options).code).not.toContain('max(3)');
});
