import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf } from './support/imports.ts';
import { textFiles } from './support/workspace.ts';

const PAGE = 'docs/how-a-payment-runs.md';

interface Line {
  readonly path: string;
  /** The table or the function of the contract through which control passes from the file before. */
  readonly through: string | undefined;
}

const sources = new Map(textFiles((path) => path.startsWith('packages/')).map(({ path, text }) => [path, text]));

function listsOf(page: string): readonly { readonly title: string; readonly lines: readonly Line[] }[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n')[0] ?? '',
      lines: [...section.matchAll(/^\d+\. `([^`]+)`[^(\n]*(?:\(`([^`]+)`\))?$/gm)].map(([, path = '', through]) => ({
        path,
        through,
      })),
    }));
}

const imports = (from: string, to: string): boolean =>
  importsOf(from, sources.get(from) ?? '').some(
    ({ specifier }) => specifier?.startsWith('.') === true && posix.join(posix.dirname(from), specifier) === to,
  );

const uses = (path: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(sources.get(path) ?? '');

/** Why a reader could not follow a list: empty when all is well. */
function faults(lines: readonly Line[]): string[] {
  return lines.flatMap(({ path, through }, index) => {
    if (!sources.has(path)) return [`${path}: there is no such file`];
    const before = lines[index - 1];
    if (before === undefined) return [];
    if (lines.slice(0, index).some((each) => each.path === path)) return [`${path}: comes twice`];
    if (through === undefined)
      return imports(before.path, path) || imports(path, before.path)
        ? []
        : [`${path}: neither imports ${before.path} nor is imported by it, and no name leads to it`];
    return [before.path, path].flatMap((each) => (uses(each, through) ? [] : [`${each}: does not use ${through}`]));
  });
}

const lists = listsOf(textFiles((path) => path === PAGE)[0]?.text ?? '');

test('a session, a payment, a notification, a refund and a recovery each have a list', () => {
  expect(lists.map(({ title }) => title)).toEqual([
    'A session',
    'A payment',
    'A notification',
    'A refund',
    'A recovery',
  ]);
});

test.each(lists)('$title is followed through files, each leading to the next', ({ lines }) => {
  expect(lines.length).toBeGreaterThan(5);
  expect(faults(lines)).toEqual([]);
});

test('a list that leaps, comes back or names a file that is gone is refused', () => {
  const app = { path: 'packages/checkout/src/http/app.ts', through: undefined };
  const drive = { path: 'packages/runtime/src/drive.ts', through: undefined };
  expect(faults([app, drive])).toHaveLength(1);
  expect(faults([app, { ...drive, through: 'startsNowhere' }])).toHaveLength(2);
  expect(faults([app, { path: 'packages/checkout/src/http/health.ts', through: undefined }, app])).toEqual([
    `${app.path}: comes twice`,
  ]);
  expect(faults([{ path: 'packages/gone.ts', through: undefined }])).toEqual([
    'packages/gone.ts: there is no such file',
  ]);
});
