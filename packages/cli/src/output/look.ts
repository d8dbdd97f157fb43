import { styleText } from 'node:util';
import type { Io, Output } from './io.ts';

type Style = Parameters<typeof styleText>[0];

/** How an answer is written: for a person at a terminal, or for a pipe. */
export interface Look {
  /** A person reads it: columns are aligned, long cells are wrapped. In a pipe, columns stand apart by tabs. */
  readonly rich: boolean;
  paint(style: Style, text: string): string;
  table(head: readonly string[], rows: readonly (readonly string[])[]): string;
}

/** Colours only where a person reads and NO_COLOR is not set (https://no-color.org). */
export function lookOf({ terminal, columns }: Output, { NO_COLOR, TERM }: Io['env']): Look {
  const colour = terminal && !NO_COLOR && TERM !== 'dumb';
  const paint: Look['paint'] = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
  return {
    rich: terminal,
    paint,
    table: (head, rows) => (terminal ? aligned(head, rows, columns, paint) : [head, ...rows].map(tabbed).join('\n')),
  };
}

const tabbed = (cells: readonly string[]) => cells.map((cell) => cell.replace(/\s+/g, ' ')).join('\t');

const GAP = 2;
/** A column narrower than this would have a word on each line. */
const NARROWEST = 16;

function aligned(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
  paint: Look['paint'],
): string {
  const widths = fitted(
    head.map((_, index) => Math.max(...[head, ...rows].map((row) => (row[index] ?? '').length))),
    columns,
  );
  const line = (cells: readonly string[], paintCell: (text: string) => string) => {
    const wrapped = widths.map((width, index) => wrap(cells[index] ?? '', width));
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, at) =>
      wrapped
        .map((lines, index) => paintCell((lines[at] ?? '').padEnd(widths[index] ?? 0)))
        .join(' '.repeat(GAP))
        .trimEnd(),
    ).join('\n');
  };
  return [line(head, (text) => paint('bold', text)), ...rows.map((row) => line(row, (text) => text))].join('\n');
}

/** The widest columns give way until the line fits, as far as they can; the first one, which has the names, stays whole. */
function fitted([first = 0, ...widths]: readonly number[], columns: number): number[] {
  const fit = [...widths];
  const total = () => fit.reduce((sum, width) => sum + width + GAP, first);
  while (total() > columns) {
    const widest = fit.indexOf(Math.max(...fit));
    if ((fit[widest] ?? 0) <= NARROWEST) break;
    fit[widest] = (fit[widest] ?? 0) - 1;
  }
  return [first, ...fit];
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => pieces(each, width))) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A word that is longer than a line is broken; nothing is left out. */
function pieces(word: string, width: number): string[] {
  if (word.length <= width) return [word];
  return Array.from({ length: Math.ceil(word.length / width) }, (_, index) =>
    word.slice(index * width, (index + 1) * width),
  );
}
