import { expect, test } from 'vitest';
import { adaptersOf, MAY_BE_ADAPTER, readmeOffences, sectionOffences } from './gates/adapter-sections.ts';
import { isBinary, textFiles } from './support/workspace.ts';

test('every adapter reads in the same sections: settings, words, replies, endpoints, their meaning, the connector', () => {
  const adapters = adaptersOf(textFiles((path) => MAY_BE_ADAPTER.test(path) && !isBinary(path)));
  expect(adapters.length).toBeGreaterThanOrEqual(20);
  expect(adapters.flatMap(sectionOffences)).toEqual([]);
});

const settings = 'const settings = z.object({});\nconst statuses = statusTable({});\n';
const rest = '// Meaning of replies.\n// The connector.\nexport const hub = defineConnector({});\n';
const path = 'packages/connector-a/src/hub.ts';

test('an adapter may stand in several rooms', () => {
  const files = [
    { path, text: `// The connector.\n${rest.split('\n')[2]}` },
    { path: 'packages/connector-a/src/hub-outcomes.ts', text: '// Meaning of replies.\n' },
    { path: 'packages/connector-a/src/hub-endpoints.ts', text: `${settings}// Replies.\n// Endpoints.\n` },
  ];
  expect(adaptersOf(files).flatMap(sectionOffences)).toEqual([]);
});

const EXPECTED = 'expected Replies, Endpoints, Meaning of replies, The connector, each as a comment "// Replies."';

test.each([
  [
    'another order',
    `${settings}// Endpoints.\n// Replies.\n${rest}`,
    [`${path}: has the sections Endpoints, Replies, Meaning of replies, The connector; ${EXPECTED}`],
  ],
  [
    'a section of its own',
    `${settings}// Replies.\n// Flows.\n// Endpoints.\n${rest}`,
    [`${path}: has the sections Replies, Flows, Endpoints, Meaning of replies, The connector; ${EXPECTED}`],
  ],
  ['no sections', `${settings}export const hub = defineConnector({});`, [`${path}: has no sections; ${EXPECTED}`]],
  [
    'settings elsewhere',
    `const statuses = statusTable({});\n// Replies.\n// Endpoints.\n${settings}${rest}`,
    [`${path}: does not have \`settings\` before "// Replies."`],
  ],
])('refuses an adapter with %s', (_what, text, offences) => {
  expect(adaptersOf([{ path, text }]).flatMap(sectionOffences)).toEqual(offences);
});

test('a reader of a README learns of every adapter whether its provider is real, and what it was checked against', () => {
  const packaged = adaptersOf(textFiles((path) => /^packages\/connector-[^/]+\/src\/[^/]+\.ts$/.test(path)));
  expect(packaged.length).toBeGreaterThanOrEqual(11);
  const readmes = new Map(
    textFiles((path) => /^packages\/connector-[^/]+\/README\.md$/.test(path)).map(({ path, text }) => [path, text]),
  );
  const readmeOf = (path: string) => readmes.get(path.replace(/src\/[^/]+$/, 'README.md')) ?? '';
  expect(packaged.flatMap((adapter) => readmeOffences(adapter, readmeOf(adapter.path)))).toEqual([]);
});

test('refuses a section that does not say it first', () => {
  const adapter = { path, text: "export const hub = defineConnector({ id: 'hub-a' });" };
  const section = (first: string) =>
    `# A\n\n## Hub\n\n${first}\nConnector \`hub-a\`, method \`a\`.\n\n## More\n\nText.\n`;
  expect(readmeOffences(adapter, section('A **real** provider, checked against its description of 2026.'))).toEqual([]);
  for (const first of ['', 'An **invented** provider.', 'Its provider is **real**, checked against nothing.'])
    expect(readmeOffences(adapter, section(first))).toHaveLength(1);
});
