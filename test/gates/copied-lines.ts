import type { TextFile } from '../support/workspace.ts';
import { isAdapter } from './adapter-sections.ts';

/** Fewer lines in a row are what any two adapters of one contract share. */
const RUN = 6;

/** Sources of the connector packages. The template is left out: an adapter begins as its copy. */
export const MAY_BE_COPIED = /^packages\/connector-[^/]+\/src\/[^/]+\.ts$/;

interface Line {
  readonly text: string;
  readonly number: number;
}

/** A file of an adapter: the adapter itself, its rooms, samples, simulation. */
interface AdapterFile {
  readonly adapter: string;
  readonly path: string;
  readonly lines: readonly Line[];
}

interface CopiedLines {
  /** Lines that stand in another adapter as well, of all lines. Imports, comments and blank lines are not counted. */
  readonly copied: number;
  readonly all: number;
  /** `path:from-to` of each run. */
  readonly runs: readonly string[];
}

/** The lines of adapters that stand in another adapter too, in runs of at least six. */
export function copiedLines(files: readonly TextFile[]): CopiedLines {
  const adapters = adapterFiles(files);
  const whoHas = new Map<string, Set<string>>();
  for (const { adapter, lines } of adapters)
    for (const at of starts(lines)) {
      const run = runAt(lines, at);
      whoHas.set(run, (whoHas.get(run) ?? new Set()).add(adapter));
    }
  const found = adapters.map(({ path, lines }) => {
    const copied = new Set<number>();
    for (const at of starts(lines))
      if ((whoHas.get(runAt(lines, at))?.size ?? 0) > 1) for (let n = 0; n < RUN; n += 1) copied.add(at + n);
    return { path, lines, copied };
  });
  return {
    copied: found.reduce((sum, { copied }) => sum + copied.size, 0),
    all: found.reduce((sum, { lines }) => sum + lines.length, 0),
    runs: found.flatMap(({ path, lines, copied }) => rangesOf(lines, copied).map((range) => `${path}:${range}`)),
  };
}

function adapterFiles(files: readonly TextFile[]): AdapterFile[] {
  const adapters = files.filter(isAdapter).map(({ path }) => path.replace(/\.ts$/, ''));
  return files.flatMap(({ path, text }) => {
    const adapter = adapters.find((name) => path.startsWith(`${name}.`) || path.startsWith(`${name}-`));
    return adapter === undefined ? [] : [{ adapter, path, lines: linesOf(text) }];
  });
}

/** Comments and imports keep their line breaks, so that the lines after them keep their numbers. */
function linesOf(text: string): Line[] {
  const blank = (found: string): string => found.replaceAll(/[^\n]/g, '');
  return text
    .replaceAll(/^import\b[^;]*;/gm, blank)
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*/gm, blank)
    .split('\n')
    .map((line, index) => ({ text: line.trim(), number: index + 1 }))
    .filter((line) => line.text !== '');
}

const starts = (lines: readonly Line[]): number[] => [...Array(Math.max(0, lines.length - RUN + 1)).keys()];

const runAt = (lines: readonly Line[], at: number): string =>
  lines
    .slice(at, at + RUN)
    .map(({ text }) => text)
    .join('\n');

function rangesOf(lines: readonly Line[], copied: ReadonlySet<number>): string[] {
  return lines.flatMap((line, first) => {
    if (!copied.has(first) || copied.has(first - 1)) return [];
    let last = first;
    while (copied.has(last + 1)) last += 1;
    return [`${line.number}-${lines[last]?.number ?? line.number}`];
  });
}
