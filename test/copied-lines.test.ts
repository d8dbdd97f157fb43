import { expect, test } from 'vitest';
import { copiedLines, MAY_BE_COPIED } from './gates/copied-lines.ts';
import { isBinary, textFiles } from './support/workspace.ts';

/** What adapters have in common belongs in @railyard/core. */
const MOST = 0.03;

test('fewer than 3 % of the lines of adapters stand in another adapter too', () => {
  const { copied, all, runs } = copiedLines(textFiles((path) => MAY_BE_COPIED.test(path) && !isBinary(path)));
  expect(all).toBeGreaterThan(3000);
  expect(copied / all, runs.join('\n')).toBeLessThan(MOST);
});

const shared = ['a', 'b', 'c', 'd', 'e', 'f'];
const adapter = (name: string, lines: readonly string[]) => ({
  path: `packages/connector-${name}/src/hub.ts`,
  text: `import {\n  call,\n} from '@railyard/core';\n\nexport const hub = defineConnector({});\n${lines.join('\n')}\n`,
});

test('counts six lines in a row that two adapters have, without imports, comments and blank lines', () => {
  const [from, to] = [shared.slice(0, 3), shared.slice(3)];
  const files = [adapter('a', ['x', ...from, '', '/** Why.', ' */', ...to]), adapter('b', [...shared, 'y'])];
  expect(copiedLines(files)).toEqual({
    copied: 12,
    all: 16,
    runs: ['packages/connector-a/src/hub.ts:7-15', 'packages/connector-b/src/hub.ts:6-11'],
  });
});

test('counts rooms, samples and simulation with their adapter', () => {
  const simulation = { path: 'packages/connector-a/src/hub.simulation.ts', text: shared.join('\n') };
  const room = { path: 'packages/connector-a/src/hub-endpoints.ts', text: shared.join('\n') };
  const helper = { path: 'packages/connector-b/src/helper.ts', text: shared.join('\n') };
  expect(copiedLines([adapter('a', []), adapter('b', []), simulation, room, helper])).toMatchObject({ copied: 0 });
  expect(copiedLines([adapter('a', []), adapter('b', shared), simulation])).toMatchObject({ copied: 12 });
});

test('counts no run that is shorter', () => {
  expect(copiedLines([adapter('a', shared.slice(1)), adapter('b', shared)])).toMatchObject({ copied: 0, runs: [] });
});
