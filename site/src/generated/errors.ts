import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TEXTS } from '@railyard/core';
import { invalidValueCode, notFoundCode, WRONG_HASH } from '@railyard/core/protocol';
import ts from 'typescript';
import type { Page } from '../page.ts';
import { read, root } from '../repository.ts';

/** One answer that is not 200: its HTTP status, the code and the text. */
interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly text: string;
}

/** Arguments of texts that name a limit. */
const SAMPLES: readonly string[] = ['…', '…'];

/** The error catalogue: texts of fields from core's own table, refusals from the calls that make them. */
export function errorPage(): Page {
  const refusals = sources().flatMap(refusalsIn);
  const rows = [...new Map(refusals.map((each) => [JSON.stringify(each), each])).values()];
  const byCode = (left: Refusal, right: Refusal) =>
    left.status - right.status || left.code.localeCompare(right.code) || left.text.localeCompare(right.text);
  return {
    path: 'errors.md',
    text: `# Errors

Every error is JSON with \`http_code\`, \`error_code\`, \`error_message\` and \`request_id\`; wrong fields stand in \`errors\`, each as \`<path>: <text>\` with the code ${invalidValueCode}. [Server-to-server commands](server-to-server.md#refusals) are answered with the same texts in their own form. What the client makes of them says [its page](packages/client.md). This page is written from the service itself.

## Wrong fields

HTTP 400 with \`error_code\` 0 and \`Request data is invalid.\` Nothing was done. All wrong fields are reported at once, each with one of these texts, or one of its method's own.

| text |
|---|
${fieldTexts()
  .map((text) => `| ${text} |`)
  .join('\n')}

## Refusals

The request is well formed and was not carried out. After 5xx the outcome is unknown: ask for the status, or repeat with the same \`Idempotency-Key\`.

| HTTP | \`error_code\` | \`error_message\` |
|---|---|---|
${rows
  .toSorted(byCode)
  .map(({ status, code, text }) => `| ${status} | \`${code}\` | ${text} |`)
  .join('\n')}
`,
  };
}

/** Core's texts, with dots where a number or a name is put in. */
function fieldTexts(): string[] {
  return [...Object.values(TEXTS), WRONG_HASH].map((text) =>
    typeof text === 'string' ? text : Reflect.apply(text, undefined, SAMPLES),
  );
}

/** Where refusals are made. */
const HOMES = ['packages/checkout/src', 'packages/core/src/issues', 'packages/core/src/payment'];

/** Its rows hold the refusals of each modification. */
const MODIFICATIONS = 'packages/core/src/payment/modifications.ts';

function sources(): ts.SourceFile[] {
  return HOMES.flatMap((home) =>
    readdirSync(join(root, home), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ts.createSourceFile(`${home}/${name}`, read(`${home}/${name}`), ts.ScriptTarget.Latest, true)),
  );
}

/** The refusals that a source file makes: calls of `refusedAnswer`, `jsonError`, `refusal` and `refusalOf`, and tables of texts with their codes. */
export function refusalsIn(source: ts.SourceFile): Refusal[] {
  const found: Refusal[] = [];
  const visit = (node: ts.Node): void => {
    found.push(...refusalOf(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function refusalOf(node: ts.Node, source: ts.SourceFile): Refusal[] {
  if (ts.isArrayLiteralExpression(node)) return tableRow(node, source);
  if (ts.isObjectLiteralExpression(node)) return bodyRow(node, source);
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return [];
  const { text: name } = node.expression;
  const [first, second, third] = node.arguments;
  if (name === 'refusedAnswer' && first !== undefined) {
    const text = textOf(first, source);
    return text === undefined ? [] : [{ status: 400, code: codeOf(second), text }];
  }
  if (name === 'jsonError') return statusRow(second, third, source);
  // The first: of a command.
  return name === 'refusal' || name === 'refusalOf' ? statusRow(first, second, source) : [];
}

/** A status that is its own code. */
function statusRow(status: ts.Node | undefined, said: ts.Expression | undefined, source: ts.SourceFile): Refusal[] {
  if (status === undefined || !ts.isNumericLiteral(status) || said === undefined) return [];
  const text = textOf(said, source);
  return text === undefined ? [] : [{ status: Number(status.text), code: status.text, text }];
}

/** `['Void is not allowed.']`, or with a code of its own; `[408, 'Request Timeout', 'The request did not arrive in time.']`. */
function tableRow({ elements, parent }: ts.ArrayLiteralExpression, source: ts.SourceFile): Refusal[] {
  const [first, second, third] = elements;
  if (third !== undefined && ts.isStringLiteral(third) && third.text.endsWith('.') && elements.length === 3)
    return statusRow(first, third, source);
  if (!ts.isPropertyAssignment(parent) || first === undefined || !ts.isStringLiteral(first)) return [];
  const isRow = elements.length === 1 || (second !== undefined && ts.isNumericLiteral(second));
  const isTable = source.text.includes('refusedAnswer(') || source.fileName === MODIFICATIONS;
  return isRow && isTable && first.text.endsWith('.') ? [{ status: 400, code: codeOf(second), text: first.text }] : [];
}

/** `{ http_code: 409, error_code: '409', error_message: '…' }` */
function bodyRow({ properties }: ts.ObjectLiteralExpression, source: ts.SourceFile): Refusal[] {
  const valueOf = (wanted: string) => {
    const found = properties.find((each) => each.name?.getText() === wanted);
    if (found === undefined) return undefined;
    return ts.isPropertyAssignment(found)
      ? found.initializer
      : ts.isShorthandPropertyAssignment(found)
        ? found.name
        : undefined;
  };
  const [status, code, message] = [valueOf('http_code'), valueOf('error_code'), valueOf('error_message')];
  const text = message && textOf(message, source);
  if (text === undefined || status === undefined || code === undefined || !ts.isStringLiteral(code)) return [];
  return ts.isNumericLiteral(status) ? [{ status: Number(status.text), code: code.text, text }] : [];
}

function codeOf(node: ts.Expression | undefined): string {
  if (node === undefined) return String(invalidValueCode);
  if (ts.isNumericLiteral(node)) return node.text;
  return node.getText() === 'notFoundCode' ? String(notFoundCode) : '…';
}

/** A text, with dots for what is put in; that of a constant of the same file. */
function textOf(node: ts.Expression, source: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.flatMap(({ literal }) => ['…', literal.text])].join('');
  if (!ts.isIdentifier(node)) return undefined;
  const declared = variablesIn(source).find(({ name }) => name.getText() === node.text);
  return declared?.initializer && !ts.isIdentifier(declared.initializer)
    ? textOf(declared.initializer, source)
    : undefined;
}

function variablesIn(node: ts.Node): ts.VariableDeclaration[] {
  const own = ts.isVariableDeclaration(node) ? [node] : [];
  const found: ts.VariableDeclaration[] = [];
  ts.forEachChild(node, (child) => {
    found.push(...variablesIn(child));
  });
  return [...own, ...found];
}
