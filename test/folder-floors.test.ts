import { describe, expect, test } from 'vitest';
import { CHECKOUT_FLOORS, folderOffences, type FolderFloors } from './gates/folder-floors.ts';
import { isCode, textFiles } from './support/workspace.ts';

const CHECKOUT = 'packages/checkout/src';
const sources = textFiles((path) => path.startsWith(`${CHECKOUT}/`) && isCode(path));

test('every folder of the checkout imports only from the floors below it', () => {
  expect(sources.length).toBeGreaterThan(150);
  expect(folderOffences(CHECKOUT, CHECKOUT_FLOORS, sources)).toEqual([]);
});

test('the table of the checkout’s floors names no folder that is not there', () => {
  const named = CHECKOUT_FLOORS.flat().map((folder) => (folder === '.' ? CHECKOUT : `${CHECKOUT}/${folder}`));
  expect(named.filter((each) => !sources.some(({ path }) => path === each || path.startsWith(`${each}/`)))).toEqual([]);
});

describe('a package of three floors', () => {
  const floors: FolderFloors = [['rows', 'log'], ['sales', 'sales/cards'], ['.']];
  const offences = (path: string, specifier: string, kind = 'import type { A }') =>
    folderOffences('src', floors, [{ path, text: `${kind} from '${specifier}';` }]);

  test.each([
    ['src/rows/a.ts', './b.ts'],
    ['src/rows/deep/a.ts', '../b.ts'],
    ['src/sales/a.ts', '../rows/deep/a.ts'],
    ['src/sales/cards/a.ts', '../../log/log.ts'],
    ['src/index.ts', './sales/cards/a.ts'],
    ['src/sales/a.ts', 'zod'],
  ])('%s may import %s', (path, specifier) => {
    expect(offences(path, specifier)).toEqual([]);
  });

  test.each([
    ['src/rows/a.ts', '../sales/a.ts', 'sales, which is not below rows'],
    ['src/rows/a.ts', '../log/log.ts', 'log, which is not below rows'],
    ['src/sales/a.ts', './cards/a.ts', 'sales/cards, which is not below sales'],
    ['src/sales/deep/a.ts', '../../index.ts', '., which is not below sales'],
  ])('%s may not import %s', (path, specifier, why) => {
    const line = `${path}: imports ${specifier} from ${why}`;
    expect(offences(path, specifier)).toEqual([line]);
    expect(offences(path, specifier, 'export *')).toEqual([line]);
  });

  test('a folder that no floor names is refused', () => {
    expect(offences('src/attic/a.ts', 'zod')).toEqual(['src/attic/a.ts: its folder is not in the table of floors']);
  });
});
