import { fileOf, isRun, place, programs, type Block } from './blocks.ts';
import { GUIDE } from './guide.ts';
import { commandOffence, commandsOf, type Known } from './shell.ts';

/** Languages that a reader may meet. The first five are checked, the others show what no machine can run. */
const LANGUAGES = [
  'ts',
  'js',
  'bash',
  'sh',
  'shell',
  'json',
  'text',
  'http',
  'php',
  'python',
  'mermaid',
  'html',
  'xml',
  'yaml',
  'diff',
  'md',
];

/**
 * Their programs are run by callback-snippets, php-snippets, fields/snippets and fields/guide-in-browser of the tests of packages/checkout, by
 * other-languages of packages/client, and by first-payment of the demo.
 */
const RUN_IN: Readonly<Record<string, readonly string[]>> = {
  php: [
    'docs/callbacks.md',
    'docs/first-payment.md',
    'docs/hosted-fields.md',
    'docs/server-to-server.md',
    'docs/start-hosted-fields.md',
    'clients/php/README.md',
  ],
  python: ['docs/first-payment.md', 'clients/python/README.md'],
  shell: ['docs/first-payment.md'],
};

/** What is wrong with a block without running it. A block that names no language would escape every check. */
export function blockOffences(block: Block, known: Known): string[] {
  const found: string[] = [];
  if (!LANGUAGES.includes(block.language)) found.push(`has the language "${block.language}"`);
  const runIn = RUN_IN[block.language];
  if (runIn !== undefined && !runIn.includes(block.path))
    found.push(`is ${block.language}, which is run in ${runIn.join(' and ')} only`);
  if (fileOf(block) !== undefined && block.path !== GUIDE)
    found.push(`names a file, which is written in ${GUIDE} only`);
  if (block.language === 'json' && !parses(block.text)) found.push('is not valid JSON');
  if (['bash', 'sh'].includes(block.language)) {
    for (const command of commandsOf(block.text)) found.push(...[commandOffence(command, known) ?? []].flat());
  }
  const unexplained = !isRun(block) && !/<!-- no-run: \S.* -->/.test(block.before);
  if (unexplained) found.push('is not run and the line above does not say why (<!-- no-run: … -->)');
  if (!isRun(block) && programs([block]).length === 0) found.push('is no program');
  return found.map((text) => `${place(block)}: ${text}`);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
