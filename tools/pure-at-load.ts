import { readFile } from 'node:fs/promises';
import type { Options } from 'tsup';
import ts from 'typescript';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const MARK = '/* @__PURE__ */ ';

/**
 * Marks every call that runs when a module is loaded as one without effects.
 *
 * A package says so as a whole (`"sideEffects": false`), and a bundler then leaves out modules that nobody uses. But a package is published
 * as a few files, each made of many modules, and of a file that is used in part a bundler keeps every call that it cannot judge: schemas,
 * tables and endpoints that nobody asks for. With the mark it drops them.
 */
export const pureAtLoad: Plugin = {
  name: 'pure-at-load',
  setup(build) {
    build.onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: markCalls(path, await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/** @returns the text with a mark before each call of a variable's first value */
export function markCalls(path: string, text: string): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const places = source.statements.filter(ts.isVariableStatement).flatMap((each) => callsIn(each, source));
  return places
    .toSorted((one, other) => other - one)
    .reduce((done, at) => done.slice(0, at) + MARK + done.slice(at), text);
}

/** Where the calls begin; those within functions run later, if at all. Of `a().b()` the mark before `a` covers both. */
function callsIn(node: ts.Node, source: ts.SourceFile): number[] {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return [];
  const inner = node.getChildren(source).flatMap((child) => callsIn(child, source));
  return ts.isCallExpression(node) || ts.isNewExpression(node)
    ? [...new Set([node.getStart(source), ...inner])]
    : inner;
}
