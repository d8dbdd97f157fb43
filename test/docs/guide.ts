import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/workspace.ts';
import { type Block, blocksOf, fileOf, place } from './blocks.ts';
import { commandsOf } from './shell.ts';

/** Followed to the letter by release/install/guide.test.ts. */
export const GUIDE = 'docs/write-a-connector.md';

/** One thing that a reader of the guide does. */
export type Step = { readonly place: string } & (
  | { readonly does: 'run'; readonly command: readonly string[]; readonly fails: boolean }
  | { readonly does: 'write'; readonly file: string; readonly text: string }
  | { readonly does: 'change'; readonly file: string; readonly from: string; readonly to: string }
  | { readonly does: 'read'; readonly text: string }
);

/** The guide's blocks, in order: `sh` is run, `ts file=` written, `diff file=` applied, `text shows` looked for in what was said last. */
export function stepsOfGuide(): Step[] {
  return blocksOf({ path: GUIDE, text: readFileSync(join(root, GUIDE), 'utf8') }).flatMap(stepsOf);
}

function stepsOf(block: Block): Step[] {
  const at = { place: place(block) };
  const file = fileOf(block);
  if (block.language === 'sh')
    return commandsOf(block.text).map((command) => ({
      ...at,
      does: 'run',
      command,
      fails: block.options.includes('fails'),
    }));
  if (block.language === 'text') return [{ ...at, does: 'read', text: block.text.trim() }];
  if (file === undefined) throw new Error(`${at.place}: nobody knows what to do with this block`);
  if (block.language !== 'diff') return [{ ...at, does: 'write', file, text: block.text }];
  const lines = (sign: string) =>
    block.text
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1))
      .join('\n');
  return [{ ...at, does: 'change', file, from: lines('-'), to: lines('+') }];
}
