import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { benchmarks } from '../src/benchmarks/index.ts';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const bench = (args: readonly string[]) =>
  spawnSync(process.execPath, ['--conditions=@railyard/source', program, ...args], { encoding: 'utf8' });

/** Those that take seconds; `npm run bench -- --quick` runs all, in `.ci/run` too. */
const SHORT = ['validation', 'provider-calls'];

it('the short ones are benchmarks', () => {
  expect(benchmarks.map(({ name }) => name)).toEqual(expect.arrayContaining(SHORT));
});

it.each(SHORT)('a quick run of "%s" writes a report with its machine', { timeout: 240_000 }, (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'railyard-bench-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const out = join(folder, 'benchmarks.md');
  const { status, stderr, stdout } = bench(['--quick', '--out', out, name]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: `${name} …\n` });
  const report = readFileSync(out, 'utf8');
  expect(stdout).toBe(report);
  for (const fact of ['Date', 'Processor', 'Memory', 'Node', 'PostgreSQL', 'Libraries'])
    expect(report).toMatch(new RegExp(`^\\| ${fact} \\| \\S.*\\|$`, 'm'));
  expect(report).toMatch(/^\| Libraries \| (?:\S+ \d+\.\d+\.\d+\S*(?:, | \|$)){8}/m);
  const section = report.split(`\n## ${name}\n`)[1] ?? '';
  expect(section).toMatch(/Rounds: \d+\./);
  const [head = '', , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  expect(head).toBe('| What | Measured | Against | Ratio |');
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row).toMatch(/^\| [^|]+ \| -?\d\S* \(/);
  expect(section).not.toContain('NaN');
});

it('a name that no benchmark has is refused, with those that there are', () => {
  const { status, stderr } = bench(['nothing']);
  expect(status).toBe(2);
  expect(stderr).toContain('There is no benchmark nothing. There are: validation');
});
