import type { TextFile } from '../support/workspace.ts';

/** In each adapter a reader finds the same thing at the same place: settings and words come first, under no heading. */
const SECTIONS = ['Replies', 'Endpoints', 'Meaning of replies', 'The connector'] as const;
const HEADING = /^\/\/ ([A-Z][A-Za-z ]*)\.$/gm;
const DEFINES = /\bdefineConnector\(\{/;

/** Sources of the connector packages, of the template that authors begin with, and of the examples. */
export const MAY_BE_ADAPTER =
  /^(packages\/(connector-[^/]+|create-connector\/template)\/src|examples\/[^/]+(\/src)?)\/[^/]+\.ts$/;

interface Adapter {
  readonly path: string;
  /** The adapter's file, and before it the rooms that it was divided into: `hub-endpoints.ts` and `hub-outcomes.ts` of `hub.ts`. */
  readonly text: string;
}

/** An adapter is found by the connector that it defines. */
export const isAdapter = ({ text }: TextFile): boolean => DEFINES.test(text);

/** The adapters among the files. */
export function adaptersOf(files: readonly TextFile[]): readonly Adapter[] {
  return files.filter(isAdapter).map(({ path, text }) => {
    const rooms = ['endpoints', 'outcomes'].map((room) => path.replace(/\.ts$/, `-${room}.ts`));
    const before = rooms.flatMap((room) => files.filter((file) => file.path === room).map((file) => file.text));
    return { path, text: [...before, text].join('\n') };
  });
}

/** One line per adapter whose sections are missing, in another order, or others. */
export function sectionOffences({ path, text }: Adapter): string[] {
  const found = [...text.matchAll(HEADING)].map(([, name]) => name ?? '');
  const says = found.length === 0 ? 'no sections' : `the sections ${found.join(', ')}`;
  const offences =
    found.join() === SECTIONS.join()
      ? []
      : [`${path}: has ${says}; expected ${SECTIONS.join(', ')}, each as a comment "// Replies."`];
  const [first = ''] = text.split(/^\/\/ Replies\.$/m);
  // Status words of a standard are imported.
  for (const name of ['settings', 'statuses'])
    if (!new RegExp(String.raw`\b${name}\b`).test(first))
      offences.push(`${path}: does not have \`${name}\` before "// Replies."`);
  return offences;
}

const ID = /\bdefineConnector\(\{\s*id: '([^']+)'/;
const SAYS_WHAT_IT_IS = /^An? \*\*(invented|real)\*\* [^.\n]*, checked against [^.\n]*\.$/;

/** One line per adapter that no section of its package's README begins with: which provider it is, and against what it was checked. */
export function readmeOffences(adapter: Adapter, readme: string): string[] {
  const { path, text } = adapter;
  const [, id] = ID.exec(text) ?? [];
  return SAYS_WHAT_IT_IS.test(firstLine(adapter, readme))
    ? []
    : [
        `${path}: the README's section of \`${id}\` does not begin with "An **invented** provider, checked against …" or "A **real** provider, …"`,
      ];
}

/** The first line of the section of an adapter. */
function firstLine({ text }: Adapter, readme: string): string {
  const [, id] = ID.exec(text) ?? [];
  const section = readme.split(/^## .*\n+/m).find((each) => each.includes(`\nConnector \`${id}\``));
  return section?.split('\n')[0] ?? '';
}
