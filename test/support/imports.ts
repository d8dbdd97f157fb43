import ts from 'typescript';

export interface Import {
  /** Undefined where the name is computed, so that nobody can tell what is imported. */
  readonly specifier: string | undefined;
  readonly dynamic: boolean;
  /** Only types are named, which are gone when the program runs. */
  readonly typeOnly: boolean;
}

/** Every module that a source names: imports, re-exports, dynamic imports, import types, require. */
export function importsOf(path: string, text: string): Import[] {
  const found: Import[] = [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const one = importOf(node);
    if (one !== undefined) found.push(one);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function importOf(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node))
    return { ...named(node.moduleSpecifier, false), typeOnly: node.importClause?.isTypeOnly === true };
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) return named(node.moduleSpecifier, false);
  if (ts.isImportTypeNode(node))
    return named(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node, false);
  if (ts.isExternalModuleReference(node)) return named(node.expression, false);
  if (!ts.isCallExpression(node)) return undefined;
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
  if (node.expression.kind !== ts.SyntaxKind.ImportKeyword && !isRequire) return undefined;
  return named(node.arguments[0], true);
}

function named(node: ts.Node | undefined, dynamic: boolean): Import {
  return { specifier: node && ts.isStringLiteralLike(node) ? node.text : undefined, dynamic, typeOnly: false };
}

/** `@scope/name` or `name` of a bare specifier; undefined for relative paths and Node's own modules. */
export function packageOf(specifier: string): string | undefined {
  if (/^[./]|^node:/.test(specifier)) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
