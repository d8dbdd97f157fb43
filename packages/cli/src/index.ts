export { runCommand } from './commands/run-command.ts';
export type { Io, Output } from './output/io.ts';
