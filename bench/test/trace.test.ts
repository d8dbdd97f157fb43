import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { countsOf } from '../src/trace/report.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The files of each flow of a page. */
const filesOf = (page: string) =>
  new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((section) => [
        section.split('\n')[0],
        [...section.matchAll(/^\d+\. \[`([^`]+)`\]/gm)].map(([, path = '']) => path).toSorted(),
      ]),
  );

test('docs/how-a-payment-runs.md lists the files that requests enter; write it with `npm run trace -- --write`', async () => {
  const hooks = ['--conditions=@railyard/source', '--import', at('../src/trace/record.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, [...hooks, at('../src/trace/main.ts')]);
  const page = await readFile(at('../../docs/how-a-payment-runs.md'), 'utf8');
  expect([...filesOf(stdout).keys()]).toEqual([
    'A session',
    'A card payment',
    'A refund',
    'A notification',
    'A sale by command',
  ]);
  expect(filesOf(page)).toEqual(filesOf(stdout));
});

test('a trace counts files once, calls each, and a move where the file changes', () => {
  expect(countsOf({ entered: ['a', 'a', 'b', 'a'] })).toEqual({ files: ['a', 'b'], calls: 4, moves: 2 });
});
