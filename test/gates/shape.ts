import ts from 'typescript';
import { isTest, type TextFile } from '../support/workspace.ts';

/** The only file that may end a test early: it says why, and the reporter listens for it. */
const MAY_SKIP = 'test/support/tool.ts';

/** What is wrong with the form of one source or test file: one line per offence. */
export function shapeOffences(file: TextFile): string[] {
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  const found = commentOffences(file, source);
  const line = (node: ts.Node): number => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const visit = (node: ts.Node): void => {
    for (const text of nodeOffences(node, file.path)) found.push(`${file.path}:${line(node)}: ${text}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function nodeOffences(node: ts.Node, path: string): string[] {
  const found: string[] = [];
  if (node.kind === ts.SyntaxKind.AnyKeyword) found.push('uses any');
  if (isDoubleCast(node)) found.push('casts through unknown');
  if (ts.isIdentifier(node) && node.text === 'parseFloat') found.push('uses parseFloat');
  return isTest(path) && path !== MAY_SKIP ? [...found, ...testOffences(node)] : found;
}

function isDoubleCast(node: ts.Node): boolean {
  if (!ts.isAsExpression(node)) return false;
  let inner: ts.Expression = node.expression;
  while (ts.isParenthesizedExpression(inner)) inner = inner.expression;
  return ts.isAsExpression(inner) && inner.type.kind === ts.SyntaxKind.UnknownKeyword;
}

const TEST_WORDS = new Set(['test', 'it', 'describe', 'suite', 'bench']);
const TEST_SWITCHES = new Set(['only', 'skip', 'todo', 'skipIf', 'runIf', 'fails']);

function testOffences(node: ts.Node): string[] {
  if (!ts.isPropertyAccessExpression(node)) return [];
  const name = node.name.text;
  if (!TEST_SWITCHES.has(name)) return [];
  let left: ts.Expression = node.expression;
  while (ts.isPropertyAccessExpression(left)) left = left.expression;
  const direct = ts.isIdentifier(left) && TEST_WORDS.has(left.text);
  const context = name === 'skip' && ts.isIdentifier(left) && /^(ctx|context|t)$/.test(left.text);
  return direct || context ? [`uses .${name}; a test runs, or says through requireTool why it cannot`] : [];
}

const BANNED_COMMENTS: readonly (readonly [RegExp, string])[] = [
  [/\b(TODO|FIXME|XXX|HACK)\b/, 'leaves a note to do something later'],
  [/@ts-(ignore|nocheck)\b/, 'silences the compiler'],
  [/\b(oxlint|eslint)-disable\b(?!.* -- \S)/, 'silences the linter without a reason (` -- because …`)'],
  [/\b(oxlint|eslint)-disable\b(?!\S* \S)/, 'silences every rule of the linter'],
  [/disable\S* .*\brailyard\//, 'silences a rule of this repository'],
];

function commentOffences(file: TextFile, source: ts.SourceFile): string[] {
  const banned = isTest(file.path)
    ? BANNED_COMMENTS
    : [...BANNED_COMMENTS, [/@ts-expect-error\b/, 'silences the compiler'] as const];
  return comments(source).flatMap(({ text, line }) =>
    banned.filter(([pattern]) => pattern.test(text)).map(([, what]) => `${file.path}:${line}: ${what}`),
  );
}

function comments(source: ts.SourceFile): { text: string; line: number }[] {
  const seen = new Map<number, string>();
  const collect = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source.text, node.end) ?? []),
    ];
    for (const { pos, end } of ranges) seen.set(pos, source.text.slice(pos, end));
    node.getChildren(source).forEach(collect);
  };
  collect(source);
  return [...seen].map(([pos, text]) => ({ text, line: source.getLineAndCharacterOfPosition(pos).line + 1 }));
}
