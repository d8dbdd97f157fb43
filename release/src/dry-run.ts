import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { published } from '../../test/support/workspace.ts';
import { command } from './command.ts';
import { buildPackages, checkSteps, checkTarballs, packPackages, raiseVersions } from './make-release.ts';
import { reportOf } from './report.ts';
import { scratchCopy } from './scratch-copy.ts';
import { trySome } from './smoke.ts';
import { unsaidChanges } from './unsaid-changes.ts';

const { values } = parseArgs({
  options: {
    /** A folder with the tarballs of the versions before; without it npm fetches them. */
    previous: { type: 'string' },
    /** Where the tarballs and the report are kept. */
    out: { type: 'string' },
  },
});

// Everything that a release does, in a copy of the repository, but for publishing.
const work = mkdtempSync(join(tmpdir(), 'railyard-release-'));
await command(dryRun);
rmSync(work, { recursive: true, force: true });

async function dryRun(): Promise<string> {
  const home = join(work, 'copy');
  const tarballs = join(work, 'tarballs');
  await stage('copying the repository and installing', () => scratchCopy(home));
  const plan = await stage('versions and changelogs', () => raiseVersions(home));
  const unsaid = unsaidChanges(home, plan);
  if (plan.length === 0) return `\n${reportOf([], unsaid)}`;
  await stage('building', () => buildPackages(home));
  const packed = await stage('packing', () => packPackages(home, plan, tarballs));
  await stage('checking the tarballs', () => checkTarballs([...packed.values()], work));
  const previous = values.previous === undefined ? undefined : resolve(values.previous);
  const folders = { previous, downloads: join(work, 'downloads') };
  const releases = await stage('comparing with the versions before', () => checkSteps(plan, packed, home, folders));
  const report = reportOf(releases, unsaid);
  if (values.out !== undefined) keep(resolve(values.out), tarballs, report);
  await stage('installing into empty projects', () => {
    // Released packages must work beside those that stay as they are.
    const names = new Set(plan.map(({ name }) => name));
    const others = published(home).map(({ folder, manifest: { name } }) => ({ name, folder }));
    packPackages(
      home,
      others.filter(({ name }) => !names.has(name)),
      join(work, 'others'),
    );
    cpSync(join(work, 'others'), tarballs, { recursive: true });
    trySome(tarballs);
  });
  return `\n${report}\n${releases.length === 1 ? '1 package' : `${releases.length} packages`} would be published. Nothing was.`;
}

async function stage<R>(name: string, work: () => R | Promise<R>): Promise<R> {
  const from = Date.now();
  process.stdout.write(`railyard: ${name}\n`);
  const result = await work();
  process.stdout.write(`railyard: ${name}: ${((Date.now() - from) / 1000).toFixed(1)} s\n`);
  return result;
}

function keep(folder: string, tarballs: string, report: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(tarballs, folder, { recursive: true });
  writeFileSync(join(folder, 'report.md'), report);
}
