import { posix } from 'node:path';
import { importsOf } from '../support/imports.ts';
import type { TextFile } from '../support/workspace.ts';

/**
 * Files that import each other in a circle, types included: none of them can be read or loaded without the others. One line per circle,
 * its files in the order of their paths.
 */
export function circlesOf(sources: readonly TextFile[]): string[] {
  const imports = graphOf(sources);
  return components(imports)
    .filter((files) => files.length > 1 || files.some((file) => imports.get(file)?.includes(file)))
    .map((files) => `${files.toSorted().join(', ')}: import each other; move what they share to a file of its own`);
}

/** Each file with the files of the list that it imports. */
function graphOf(sources: readonly TextFile[]): Map<string, string[]> {
  const paths = new Set(sources.map(({ path }) => path));
  const targets = ({ path, text }: TextFile) =>
    importsOf(path, text)
      .map(({ specifier }) => specifier)
      .filter((specifier) => specifier?.startsWith('.') === true)
      .map((specifier) => posix.join(posix.dirname(path), specifier ?? ''))
      .filter((target) => paths.has(target));
  return new Map(sources.map((source) => [source.path, targets(source)]));
}

/** The strongly connected components, by Tarjan (1972), https://doi.org/10.1137/0201010. */
function components(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): number => {
    const own = index.size;
    index.set(node, own);
    let low = own;
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? index.get(next) ?? low);
    }
    lowest.set(node, low);
    if (low === own) found.push(stack.splice(stack.indexOf(node)));
    return low;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}
