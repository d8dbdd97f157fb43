import ts from 'typescript';
import type { TextFile } from '../support/workspace.ts';

/** A code of PostgreSQL (Appendix A, Error Codes) of a class that a statement can fail with; a number alone is none in other places. */
const SQL_STATE = /^(?:08|22|23|25|40|42|53|55|57|58|P0|XX)[0-9A-Z]{3}$/;
/** How PostgreSQL names primary and foreign keys by itself. */
const CONSTRAINT = /^[a-z0-9_]+_(?:pkey|fkey)$/;

/**
 * The places where a source outside storage reads how the database refuses a statement: a state code, the name of a constraint, or the error's
 * field that holds it. Storage reads it and answers a result of a type. One line per place.
 */
export function databaseWordOffences({ path, text }: TextFile): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const said = wordOf(node);
    if (said !== undefined) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      found.push(`${path}:${line}: reads ${said} of the database; let storage read it and answer a result`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function wordOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) {
    if (SQL_STATE.test(node.text)) return `the state code ${node.text}`;
    return CONSTRAINT.test(node.text) ? `the constraint ${node.text}` : undefined;
  }
  const readsField =
    (ts.isPropertyAccessExpression(node) && node.name.text === 'constraint') ||
    (ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.InKeyword &&
      ts.isStringLiteralLike(node.left) &&
      node.left.text === 'constraint');
  return readsField ? 'a constraint' : undefined;
}
