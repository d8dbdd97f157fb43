import { expect, test } from 'vitest';
import { type AdapterLines, medianLines, realAdapterLines } from './gates/adapter-lines.ts';
import { textFiles } from './support/workspace.ts';

/** The aim, reached (docs/decisions/0123). A change that makes adapters shorter lowers it too; nothing raises it. */
const HELD = 300;

const readmes = new Map(
  textFiles((path) => /^packages\/connector-[^/]+\/README\.md$/.test(path)).map(({ path, text }) => [path, text]),
);
const adapters = realAdapterLines(
  textFiles((path) => /^packages\/connector-[^/]+\/src\/[^/]+\.ts$/.test(path)),
  (path) => readmes.get(path.replace(/src\/[^/]+$/, 'README.md')) ?? '',
);
const median = medianLines(adapters);

test(`the median adapter of a provider that exists has ${median} lines without samples, at most ${HELD}`, () => {
  expect(adapters.length).toBeGreaterThanOrEqual(8);
  const each = adapters.map(({ path, lines }: AdapterLines) => `${lines} ${path}`).join('\n');
  expect(median, each).toBeLessThanOrEqual(HELD);
});

const defines = (id: string) => `export const a = defineConnector({\n  id: '${id}',\n});\n`;
const readme = (word: string) =>
  `# A\n\n## Hub\n\nA **${word}** provider, checked against its description.\nConnector \`hub-a\`, method \`a\`.\n`;

test('the rooms of an adapter count, and its samples, simulation and test cards do not', () => {
  const src = 'packages/connector-a/src';
  const files = [
    { path: `${src}/hub.ts`, text: defines('hub-a') },
    { path: `${src}/hub-requests.ts`, text: 'a\nb\n' },
    { path: `${src}/hub.samples.ts`, text: 'a\n'.repeat(90) },
    { path: `${src}/hub-requests.samples.ts`, text: 'a\n'.repeat(90) },
    { path: `${src}/hubs.ts`, text: 'a\n'.repeat(90) },
  ];
  expect(realAdapterLines(files, () => readme('real'))).toEqual([{ path: `${src}/hub.ts`, lines: 5 }]);
  expect(realAdapterLines(files, () => readme('invented'))).toEqual([]);
});

test('the median of an even number of adapters lies between the two in the middle', () => {
  const of = (...lines: number[]) => medianLines(lines.map((each) => ({ path: 'a', lines: each })));
  expect([of(5, 1, 9), of(1, 9, 4, 6)]).toEqual([5, 5]);
});
