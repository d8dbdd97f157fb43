import { join } from 'node:path';
import ts from 'typescript';
import * as z from 'zod';
import type { Page } from '../page.ts';
import { read, root } from '../repository.ts';
import { escaped } from './escaped.ts';

/** Folders of core, in the order in which a reader needs them. */
const GROUPS: Readonly<Record<string, string>> = {
  connector: 'Connectors and flows',
  method: 'Methods and the registry',
  money: 'Money',
  proofs: 'Proofs of notifications',
  formats: 'Ids and amounts as providers write them',
  payment: 'Payments',
  session: 'Session requests',
  schedule: 'Recurring schedules',
  signature: 'Signatures',
  issues: 'Issues and answers',
  merchant: 'Checks of callbacks and returns',
  markdown: 'Tables for documents',
};

interface Entry {
  readonly name: string;
  /** The entry point that exports it. */
  readonly from: string;
  readonly group: string;
  readonly declaration: string;
  readonly comment: string;
}

/** One page per part of core: every export with its declaration and its comment, as the compiler knows them. */
export function referencePages(): Page[] {
  const entries = exportsOfCore();
  const homeless = entries.filter(({ group }) => GROUPS[group] === undefined).map(({ name }) => name);
  if (homeless.length > 0) throw new Error(`No page of the reference takes ${homeless.join(', ')}.`);
  return Object.entries(GROUPS).map(([group, title]) => {
    const own = entries.filter((entry) => entry.group === group);
    const from = [...new Set(own.map((entry) => entry.from))].map((name) => `\`${name}\``).join(' and ');
    return {
      path: `reference/${group}.md`,
      text: `# ${title}

What ${from} exports of this part, written from its types.

${own
  .toSorted((left, right) => left.name.localeCompare(right.name))
  .map(sectionOf)
  .join('\n')}`,
    };
  });
}

function sectionOf({ name, comment, declaration }: Entry): string {
  return `## ${name}\n\n${comment === '' ? '' : `${comment}\n\n`}\`\`\`ts\n${declaration}\n\`\`\`\n`;
}

const manifest = z.object({ name: z.string(), exports: z.record(z.string(), z.unknown()) });
const built = z.object({ '@railyard/source': z.string() });

/** Core's exports, each name once: under the first entry that has it. */
function exportsOfCore(): Entry[] {
  const { name, exports } = manifest.parse(JSON.parse(read('packages/core/package.json')));
  const sources = Object.entries(exports).flatMap(([entry, conditions]) => {
    const { data } = built.safeParse(conditions);
    return data === undefined ? [] : [{ from: `${name}${entry.slice(1)}`, file: data['@railyard/source'] }];
  });
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const paths = sources.map(({ file }) => join(root, 'packages/core', file));
  const program = ts.createProgram(paths, options);
  const found = sources.flatMap(({ from }, index) => exportsOf(program, paths[index] ?? '', from));
  return [...new Map(found.toReversed().map((entry) => [entry.name, entry])).values()];
}

function exportsOf(program: ts.Program, path: string, from: string): Entry[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`The exports of ${from} cannot be read.`);
  return checker.getExportsOfModule(module).flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const [declared] = target.declarations ?? [];
    return declared === undefined ? [] : [entryOf(symbol.name, declared, checker, from)];
  });
}

function entryOf(name: string, declared: ts.Declaration, checker: ts.TypeChecker, from: string): Entry {
  const file = declared.getSourceFile().fileName;
  const group = /\/src\/(\w+)\//.exec(file)?.[1] ?? (file.includes('countr') ? 'session' : 'method');
  return { name, from, group, comment: commentOf(declared, checker), declaration: declarationOf(declared, checker) };
}

function commentOf(declared: ts.Declaration, checker: ts.TypeChecker): string {
  const holder = ts.isVariableDeclaration(declared) ? declared.parent.parent : declared;
  const symbol = 'name' in declared ? checker.getSymbolAtLocation(declared.name as ts.Node) : undefined;
  const text = ts.displayPartsToString(symbol?.getDocumentationComment(checker));
  const example = ts.getJSDocTags(holder).find(({ tagName }) => tagName.text === 'example');
  const shown = ts.getTextOfJSDocComment(example?.comment);
  return [escaped(text), ...(shown === undefined ? [] : [`\`\`\`ts\n${shown}\n\`\`\``])].filter(Boolean).join('\n\n');
}

/** Its declaration as a caller sees it: no bodies, no values longer than a line. */
function declarationOf(declared: ts.Declaration, checker: ts.TypeChecker): string {
  if (ts.isFunctionDeclaration(declared)) {
    const whole = declared.getText();
    const end = declared.body === undefined ? whole.length : declared.body.getStart() - declared.getStart();
    return bare(whole.slice(0, end));
  }
  if (ts.isVariableDeclaration(declared)) {
    const type = checker.typeToString(checker.getTypeAtLocation(declared), declared, TYPE_FLAGS);
    return `const ${declared.name.getText()}: ${type}`;
  }
  return bare(declared.getText());
}

const TYPE_FLAGS = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

const bare = (text: string): string => text.trim().replace(/^export (default )?/, '');
