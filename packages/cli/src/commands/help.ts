import { COMMANDS } from './index.ts';
import type { Command, OptionSpec } from './command.ts';

/** Options that every command has. */
export const COMMON: Readonly<Record<string, OptionSpec>> = {
  json: { type: 'boolean', says: 'answer in JSON, for programs' },
  help: { type: 'boolean', says: 'show this help' },
};

const EXIT_CODES = `Exit codes: 0 yes or done; 1 the answer is no (invalid, does not match, a check failed); 2 called wrongly, or something
that it needs is missing. Colours are left out in a pipe and with NO_COLOR.
`;

export function listHelp(): string {
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length));
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: railyard COMMAND [options]\n\n${lines.join('\n')}\n\n"railyard COMMAND --help" says more.\n${EXIT_CODES}`;
}

export function commandHelp({ usage, help, options }: Command): string {
  const rows = Object.entries({ ...options, ...COMMON }).map(([name, { hint, says, multiple }]) => [
    `--${name}${hint === undefined ? '' : ` ${hint}`}`,
    `${says}${multiple === true ? '; may be repeated' : ''}`,
  ]);
  const width = Math.max(...rows.map(([option = '']) => option.length));
  const lines = rows.map(([option = '', says = '']) => `  ${option.padEnd(width)}  ${says}`);
  return `Usage: railyard ${usage}\n\n${help}\n\n${lines.join('\n')}\n\n${EXIT_CODES}`;
}
