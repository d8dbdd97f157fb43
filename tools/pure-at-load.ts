import { readFile } from 'node:fs/promises';
import type { Options } from 'tsup';
import ts from 'typescript';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

const BEFORE = '/* @__PURE__ */ (() => (';
const AFTER = '))()';

/**
 * Marks whatever is computed while a module is loaded as something without effects.
 *
 * A package says so as a whole (`"sideEffects": false`), and a bundler then leaves out modules that nobody uses. But a package is published
 * as a few files, each made of many modules, and of a file that is used in part a bundler keeps every call, spread and property that it
 * cannot judge: schemas, tables and endpoints that nobody asks for. With the mark it drops them. It stands before a function that is called
 * at once, because before the call itself it would say nothing of the call's arguments.
 */
export const pureAtLoad: Plugin = {
  name: 'pure-at-load',
  setup(build) {
    build.onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: markPure(path, await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/** @returns the text with the first value of every variable of the module marked, where a bundler could not judge it */
export function markPure(path: string, text: string): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const values = source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations)
    .flatMap(({ name, initializer }) => (initializer !== undefined && ts.isIdentifier(name) ? [initializer] : []))
    .filter(computes);
  return values.reduceRight((done, value) => {
    const [start, end] = [value.getStart(source), value.end];
    return done.slice(0, start) + BEFORE + done.slice(start, end) + AFTER + done.slice(end);
  }, text);
}

/** What stands within functions runs later, if at all. */
function computes(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false;
  return (
    ts.isCallExpression(node) ||
    ts.isNewExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isSpreadElement(node) ||
    ts.isSpreadAssignment(node) ||
    ts.isTemplateExpression(node) ||
    (ts.forEachChild(node, (child) => computes(child) || undefined) ?? false)
  );
}
