/** Splits shell text into commands of words: quotes, comments and continued lines are understood, no more. */
export function commandsOf(text: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  const tokens = text.matchAll(
    /#[^\n]*|\\\n|(?:'[^']*'|"(?:\\.|[^"\\])*"|\\[^\n]|[^\s;&|'"\\#]|(?<=\S)#)+|&&|\|\||[\n;|&]/g,
  );
  for (const [token] of tokens) {
    if (token.startsWith('#') || token === '\\\n') continue;
    if (/^(&&|\|\||[\n;|&])$/.test(token)) {
      commands.push(words);
      words = [];
    } else {
      words.push(token.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"/g, '$1$2'));
    }
  }
  return [...commands, words].filter((command) => command.length > 0);
}

/** What a document may rely on. */
export interface Known {
  readonly scripts: ReadonlySet<string>;
  /** Our published packages. */
  readonly packages: ReadonlySet<string>;
  /** Commands that packages of ours install under a name of their own. */
  readonly commands: ReadonlySet<string>;
  /** Libraries of others, from the catalog. */
  readonly libraries: ReadonlySet<string>;
  readonly exists: (path: string) => boolean;
}

/** Why a reader could not run this command; undefined when it is known to work. */
export function commandOffence(command: readonly string[], known: Known): string | undefined {
  const words = command.slice(command.findIndex((word) => !/^[A-Z_]+=/.test(word)));
  const [program = '', ...args] = words;
  const plain = args.filter((arg) => !arg.startsWith('-'));
  const check = CHECKS.get(program);
  if (check === undefined) return `\`${program}\` is not a command that documents may use`;
  return check(plain, known) ? undefined : `\`${words.join(' ')}\` would not work`;
}

type Check = (args: readonly string[], known: Known) => boolean;

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['npm', npm],
  ['npx', npx],
  ['node', ([file = ''], known) => file === '' || known.exists(file)],
  ['cd', () => true],
  ['git', ([verb = '']) => verb === 'clone'],
  ['curl', (args) => args.some((arg) => /^(http:\/\/)?(localhost|127\.0\.0\.1)[:/]/.test(arg))],
]);

function npx([name = '']: readonly string[], known: Known): boolean {
  return known.commands.has(name) || known.packages.has(nameOf(name)) || known.libraries.has(nameOf(name));
}

function npm([verb = '', ...names]: readonly string[], known: Known): boolean {
  if (verb === 'start' || verb === 'test') return known.scripts.has(verb);
  if (verb === 'run') return known.scripts.has(names[0] ?? '');
  if (verb === 'create') return known.packages.has(nameOf(names[0] ?? '').replace('/', '/create-'));
  const found = names.map(nameOf).filter((name) => known.packages.has(name) || known.libraries.has(name));
  return ['i', 'install'].includes(verb) && found.length === names.length;
}

/** The name without a version: `@a/b@1.0.0` → `@a/b`. */
function nameOf(spec: string): string {
  return spec.replace(/(?<=.)@[^/]*$/, '');
}
