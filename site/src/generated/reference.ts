import { join } from 'node:path';
import ts from 'typescript';
import type { Page } from '../page.ts';
import { root } from '../repository.ts';

/** Folders of core, in the order in which a reader needs them. */
const GROUPS: Readonly<Record<string, string>> = {
  connector: 'Connectors and flows',
  method: 'Methods and the registry',
  money: 'Money',
  payment: 'Payments',
  session: 'Session requests',
  signature: 'Signatures',
  issues: 'Issues and answers',
};

interface Entry {
  readonly name: string;
  readonly group: string;
  readonly declaration: string;
  readonly comment: string;
}

/** One page per part of core: every export with its declaration and its comment, as the compiler knows them. */
export function referencePages(): Page[] {
  const entries = exportsOfCore();
  return Object.entries(GROUPS).map(([group, title]) => ({
    path: `reference/${group}.md`,
    text: `# ${title}

What \`@railyard/core\` exports of this part, written from its types.

${entries
  .filter((entry) => entry.group === group)
  .toSorted((left, right) => left.name.localeCompare(right.name))
  .map(sectionOf)
  .join('\n')}`,
  }));
}

function sectionOf({ name, comment, declaration }: Entry): string {
  return `## ${name}\n\n${comment === '' ? '' : `${comment}\n\n`}\`\`\`ts\n${declaration}\n\`\`\`\n`;
}

function exportsOfCore(): Entry[] {
  const entry = join(root, 'packages/core/src/index.ts');
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([entry], options);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error('The exports of core cannot be read.');
  return checker.getExportsOfModule(module).flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const [declared] = target.declarations ?? [];
    return declared === undefined ? [] : [entryOf(symbol.name, declared, checker)];
  });
}

function entryOf(name: string, declared: ts.Declaration, checker: ts.TypeChecker): Entry {
  const file = declared.getSourceFile().fileName;
  const group = /\/src\/(\w+)\//.exec(file)?.[1] ?? (file.includes('country') ? 'session' : 'method');
  return { name, group, comment: commentOf(declared, checker), declaration: declarationOf(declared, checker) };
}

function commentOf(declared: ts.Declaration, checker: ts.TypeChecker): string {
  const holder = ts.isVariableDeclaration(declared) ? declared.parent.parent : declared;
  const symbol = 'name' in declared ? checker.getSymbolAtLocation(declared.name as ts.Node) : undefined;
  const text = ts.displayPartsToString(symbol?.getDocumentationComment(checker));
  const example = ts.getJSDocTags(holder).find(({ tagName }) => tagName.text === 'example');
  const shown = ts.getTextOfJSDocComment(example?.comment);
  return [escaped(text), ...(shown === undefined ? [] : [`\`\`\`ts\n${shown}\n\`\`\``])].filter(Boolean).join('\n\n');
}

/** Outside of code a page knows no tags. */
const escaped = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;').replaceAll('{{', '{ {') : part))
    .join('`');

/** What a caller sees of it: no bodies, no values longer than a line. */
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
