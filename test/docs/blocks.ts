import type { TextFile } from '../support/workspace.ts';

/** A fenced code block of a document. `line` is that of its opening fence, `before` what stands above it. */
export interface Block {
  readonly path: string;
  readonly line: number;
  readonly language: string;
  readonly options: readonly string[];
  readonly before: string;
  readonly text: string;
}

export function blocksOf({ path, text }: TextFile): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const fence = /^(\s*)(`{3,}|~{3,})(.*)$/.exec(lines[index] ?? '');
    if (fence === null) continue;
    const [, indent = '', ticks = '', info = ''] = fence;
    const rest = lines.slice(index + 1);
    const length = rest.findIndex(
      (line) => line.trim().startsWith(ticks) && line.trim().replaceAll(ticks[0] ?? '`', '') === '',
    );
    const body = rest.slice(0, length === -1 ? rest.length : length);
    const [language = '', ...options] = info.trim().split(/\s+/);
    const before = lines.slice(0, index).findLast((line) => line.trim() !== '') ?? '';
    const unindented = body.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    blocks.push({ path, line: index + 1, language, options, before, text: `${unindented.join('\n')}\n` });
    index += body.length + 1;
  }
  return blocks;
}

export function place({ path, line }: Block): string {
  return `${path}:${line}`;
}

/** The file that a guide's block is written to; such a block is no program of its own. */
export function fileOf({ options }: Block): string | undefined {
  return options.find((option) => option.startsWith('file='))?.slice('file='.length);
}

/** Blocks that are programs. `ts` is typechecked and run, `ts no-run` only typechecked, `js` only run. */
export function programs(blocks: readonly Block[]): Block[] {
  return blocks.filter((block) => /^[tj]s$/.test(block.language) && fileOf(block) === undefined);
}

export function isRun(block: Block): boolean {
  return !block.options.includes('no-run');
}
