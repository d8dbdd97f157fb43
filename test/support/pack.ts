import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tool } from './tool.ts';
import { root } from './workspace.ts';

/** Of each major version that packages run on, the one that they are tried with. */
export const supportedNodes: readonly string[] = ['22.23.3', '24.21.0'];

/** A folder of its own for one test file; the file removes it. */
export function scratch(name: string): string {
  return mkdtempSync(join(tmpdir(), `railyard-${name}-`));
}

/**
 * Packs a built package the way it is published and gives the path of the tarball.
 *
 * @param from the repository or a copy of it
 */
export function pack(folder: string, into: string, from = root): string {
  const home = join(from, folder);
  if (!existsSync(join(home, 'dist'))) throw new Error(`${folder} is not built; run \`npm run build\` first`);
  const target = mkdtempSync(join(into, 'pack-'));
  const { status, stdout, stderr } = spawnSync('pnpm', ['pack', '--pack-destination', target], {
    cwd: home,
    encoding: 'utf8',
  });
  const tarball = readdirSync(target).find((name) => name.endsWith('.tgz'));
  if (status !== 0 || tarball === undefined) throw new Error(`pnpm pack failed in ${folder}:\n${stdout}${stderr}`);
  return join(target, tarball);
}

/** The paths in a tarball, without the leading `package/`. */
export function listing(tarball: string): string[] {
  const output = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' });
  return output
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
}

/** A Node of exactly this version, fetched through npm where the machine lacks it. */
export function nodeOf(version: string): Tool {
  return {
    name: `Node ${version}`,
    hint: `node scripts/node-path.mjs ${version} says why`,
    find: () => {
      const script = join(root, 'scripts/node-path.mjs');
      const { status, stdout } = spawnSync(process.execPath, [script, version], { encoding: 'utf8' });
      return status === 0 ? stdout.trim().split('\n').at(-1) : undefined;
    },
  };
}
