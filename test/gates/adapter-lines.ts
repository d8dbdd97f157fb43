import type { TextFile } from '../support/workspace.ts';
import { isAdapter, readsReal } from './adapter-sections.ts';

/** An adapter of a provider that exists, and the source lines of all its rooms. */
export interface AdapterLines {
  readonly path: string;
  readonly lines: number;
}

const linesOf = (text: string): number => text.trimEnd().split('\n').length;

/**
 * The lines of `hub.ts` and of every room beside it (`hub-endpoints.ts`, `hub-requests.ts`, …), comments and imports among them. Samples,
 * simulation and test cards have a dot in their names and do not count.
 *
 * @param readmeOf the README of the package that holds the file
 */
export function realAdapterLines(
  files: readonly TextFile[],
  readmeOf: (path: string) => string,
): readonly AdapterLines[] {
  return files
    .filter((file) => isAdapter(file) && readsReal(file, readmeOf(file.path)))
    .map(({ path }) => {
      const stem = path.replace(/\.ts$/, '');
      const rooms = files.filter(
        (file) =>
          file.path === path || (file.path.startsWith(`${stem}-`) && !/[./]/.test(file.path.slice(stem.length, -3))),
      );
      return { path, lines: rooms.reduce((sum, { text }) => sum + linesOf(text), 0) };
    });
}

export function medianLines(adapters: readonly AdapterLines[]): number {
  const sorted = adapters.map(({ lines }) => lines).toSorted((a, b) => a - b);
  const [low = 0, high = low] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return (low + high) / 2;
}
