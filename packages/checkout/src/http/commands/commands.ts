import type { Command } from './command.ts';
import { creditToVirtual } from './credit-to-virtual.ts';
import { getTransStatus } from './get-trans-status.ts';

/** The commands that are understood, by `action`. */
export const COMMANDS: ReadonlyMap<unknown, Command> = new Map([
  ['CREDIT2VIRTUAL', creditToVirtual],
  ['GET_TRANS_STATUS', getTransStatus],
]);
