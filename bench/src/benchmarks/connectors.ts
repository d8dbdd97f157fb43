import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createArguments, packForAuthors } from '../../../test/support/new-connector.ts';
import { packages, root } from '../../../test/support/workspace.ts';
import type { Benchmark, Row } from '../benchmark.ts';
import { spreadOf } from '../measure.ts';
import { newFolder, withCleanup } from '../places.ts';

/** An author's first steps, each as a command. */
const FIRST = [
  { what: 'npm install', args: ['install', '--no-audit', '--no-fund', '--prefer-offline'] },
  { what: 'Build', args: ['run', 'build'] },
  { what: 'Types', args: ['run', 'typecheck'] },
  { what: 'Tests with the conformance kit', args: ['test'] },
] as const;

/** Seconds that a program takes. */
function seconds(program: string, args: readonly string[], cwd: string): number {
  const from = process.hrtime.bigint();
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: 240_000,
    killSignal: 'SIGKILL',
    env: { ...process.env, PATH: path },
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return Number(process.hrtime.bigint() - from) / 1e9;
}

/** From an empty folder to green, by step. */
function author(tarballs: string, folder: string): readonly number[] {
  const created = seconds('npm', createArguments(tarballs, [folder, '--yes']), dirname(folder));
  return [created, ...FIRST.map(({ args }) => seconds('npm', args, folder))];
}

export const connectors: Benchmark = {
  name: 'connectors',
  title: 'What an author waits for: a new connector package from an empty folder to green, and the conformance kit.',
  async run(quick) {
    const rounds = quick ? 1 : 3;
    const [first, ...others] = shipped();
    if (first === undefined) throw new Error('No connector has the kit among its tests.');
    const kits = (quick ? [first] : [first, ...others]).map((name): Row => {
      const took = Array.from({ length: rounds }, () => kit(name));
      return { what: `The kit on ${name}`, unit: 's', value: spreadOf(took) };
    });
    // A test follows the whole way of an author anyway.
    const rows = quick ? kits : [...(await authors(rounds)), ...kits];
    return { rounds, rows, notes: ['Installing takes what npm has in its cache from the cache.'] };
  },
};

function authors(rounds: number): Promise<Row[]> {
  return withCleanup(async (cleanup) => {
    const home = await newFolder(cleanup);
    const tarballs = packForAuthors(home);
    const took = Array.from({ length: rounds }, (_, round) => author(tarballs, join(home, `railyard-sun-${round}`)));
    const step = (at: number) => spreadOf(took.map((each) => each[at] ?? Number.NaN));
    const whole = spreadOf(took.map((each) => each.reduce((sum, one) => sum + one, 0)));
    return [
      { what: 'Created, installed, built, typechecked, conforming', unit: 's', value: whole },
      { what: 'Creating', unit: 's', value: step(0) },
      ...FIRST.map(({ what }, at) => ({ what, unit: 's', value: step(at + 1) })),
    ];
  });
}

/** The connectors that have the kit among their tests. */
function shipped(): string[] {
  return packages()
    .map(({ folder }) => folder)
    .filter((folder) => existsSync(join(root, folder, 'test/conformance.test.ts')))
    .map((folder) => folder.replace('packages/', ''));
}

const kit = (name: string): number =>
  seconds('node', ['node_modules/vitest/vitest.mjs', 'run', '--project', name, 'conformance'], root);
