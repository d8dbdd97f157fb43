import { parseArgs } from 'node:util';
import { jsonText } from '../output/json.ts';
import type { Io } from '../output/io.ts';
import { lookOf } from '../output/look.ts';
import { nearest } from '../output/nearest.ts';
import { type Command, type Given, UsageError } from './command.ts';
import { COMMON, commandHelp, listHelp } from './help.ts';
import { COMMANDS } from './index.ts';

/**
 * Runs what a command line asks for.
 *
 * @param args without `node` and the script
 * @returns the exit code: 0 yes, 1 no, 2 called wrongly
 */
export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  const [word = '', ...rest] = args;
  if (['', '--help', '-h', 'help'].includes(word)) {
    (word === '' ? io.err : io.out).write(listHelp());
    return word === '' ? 2 : 0;
  }
  try {
    return await runWord(word, rest, io);
  } catch (error) {
    return complain(error, word, rest.includes('--json'), io);
  }
}

async function runWord(word: string, args: readonly string[], io: Io): Promise<number> {
  const entry = COMMANDS.get(word);
  if (entry === undefined) {
    const near = nearest(word, [...COMMANDS.keys()]);
    throw new UsageError(
      `There is no command "${word}".${near === undefined ? '' : ` Did you mean "${near}"?`} "railyard --help" lists them.`,
    );
  }
  const command = await entry.load();
  const given = readArgs(command, args);
  if (given.values.help === true) {
    io.out.write(commandHelp(command));
    return 0;
  }
  const [least, most] = command.words;
  if (given.positionals.length < least || given.positionals.length > most)
    throw new UsageError(`Call it as: railyard ${command.usage}`);
  const answer = await command.run(given, io);
  const text = given.values.json === true ? jsonOf(answer.json) : answer.text(lookOf(io.out, io.env));
  if (text !== '') io.out.write(`${text}\n`);
  return answer.code;
}

/** A command that reported everything while it ran leaves nothing to print. */
const jsonOf = (json: unknown) => (json === undefined ? '' : jsonText(json));

function readArgs({ options, usage }: Command, args: readonly string[]): Given {
  const known = Object.entries({ ...options, ...COMMON }).map(
    ([name, { type, multiple = false }]) => [name, { type, multiple, ...(name === 'help' && { short: 'h' }) }] as const,
  );
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries(known), allowPositionals: true });
  } catch (error) {
    // Node's own text goes on about how to pass the argument as a positional one.
    const text = error instanceof Error ? (error.message.split('. To specify')[0] ?? '') : '';
    const near = nearest(
      /^Unknown option '--([\w-]+)/.exec(text)?.[1] ?? '',
      known.map(([name]) => name),
    );
    const meant = near === undefined ? '' : ` Did you mean "--${near}"?`;
    throw new UsageError(`${text}${meant}\nCall it as: railyard ${usage}`);
  }
}

/** No stack: who reads this wants to know what to do, and a stack may show more than it should. */
function complain(error: unknown, word: string, json: boolean, io: Io): 2 {
  const message = error instanceof Error ? error.message : String(error);
  if (json) {
    io.out.write(`${jsonText({ error: message })}\n`);
    return 2;
  }
  const { paint } = lookOf(io.err, io.env);
  const more = error instanceof UsageError && COMMANDS.has(word) ? `\n"railyard ${word} --help" says more.` : '';
  io.err.write(`${paint('red', message)}${more}\n`);
  return 2;
}
