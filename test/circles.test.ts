import { expect, test } from 'vitest';
import { circlesOf } from './gates/circles.ts';
import { isCode, textFiles } from './support/workspace.ts';

const file = (path: string, ...imports: readonly string[]) => ({
  path,
  text: imports.map((specifier) => `import { x } from '${specifier}';`).join('\n'),
});

test('no files of the repository import each other in a circle', () => {
  const sources = textFiles((path) => isCode(path));
  expect(sources.length).toBeGreaterThan(1000);
  expect(circlesOf(sources)).toEqual([]);
});

test('names the files of a circle over folders, and of a file that imports itself', () => {
  const sources = [
    file('a/one.ts', './two.ts'),
    file('a/two.ts', '../b/three.ts', './leaf.ts'),
    file('b/three.ts', '../a/one.ts', 'zod'),
    file('a/leaf.ts'),
    file('c/self.ts', './self.ts'),
    file('c/above.ts', '../a/one.ts', './self.ts'),
  ];
  expect(circlesOf(sources)).toEqual([
    'a/one.ts, a/two.ts, b/three.ts: import each other; move what they share to a file of its own',
    'c/self.ts: import each other; move what they share to a file of its own',
  ]);
});

test('counts imports of types', () => {
  const one = { path: 'a.ts', text: `import type { B } from './b.ts';` };
  const other = { path: 'b.ts', text: `type A = import('./a.ts').A;` };
  expect(circlesOf([one, other])).toHaveLength(1);
});

test.each([
  ['a diamond', [file('a.ts', './b.ts', './c.ts'), file('b.ts', './d.ts'), file('c.ts', './d.ts'), file('d.ts')]],
  ['an import of a package', [file('a.ts', 'b'), file('b.ts', 'a')]],
  ['a file that is not there', [file('a.ts', './gone.ts')]],
])('accepts %s', (_what, sources) => {
  expect(circlesOf(sources)).toEqual([]);
});
