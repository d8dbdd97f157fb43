import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pack } from './pack.ts';

/** What a new connector's folder installs of ours, and the command that writes it. */
const PACKED = ['core', 'runtime', 'simulator', 'conformance', 'create-connector'];

/**
 * Packs what an author installs, in place of a registry that has it.
 *
 * @param more folders below packages/ that are wanted too
 * @returns the folder of the tarballs
 */
export function packForAuthors(home: string, more: readonly string[] = []): string {
  const tarballs = join(home, 'packed');
  mkdirSync(tarballs);
  for (const name of [...PACKED, ...more]) {
    const tarball = pack(`packages/${name}`, home);
    copyFileSync(tarball, join(tarballs, basename(tarball)));
  }
  return tarballs;
}

/** Arguments of npm that do before a release what `npm create @railyard/connector` does after it. */
export function createArguments(tarballs: string, given: readonly string[]): readonly string[] {
  const program = readdirSync(tarballs).find((name) => name.startsWith('railyard-create-connector-'));
  if (program === undefined) throw new Error(`${tarballs} has no packed create-connector.`);
  return [
    'exec',
    '--yes',
    `--package=${join(tarballs, program)}`,
    '--',
    'create-connector',
    ...given,
    '--tarballs',
    tarballs,
  ];
}
