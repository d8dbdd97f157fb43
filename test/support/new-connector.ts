import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pack } from './pack.ts';

/** What a new connector's folder installs of ours, and the command that writes it. */
const PACKED = ['core', 'runtime', 'simulator', 'conformance', 'create-connector'];

/** Packs what an author installs, in place of a registry that has it. @returns the folder of the tarballs */
export function packForAuthors(home: string): string {
  const tarballs = join(home, 'packed');
  mkdirSync(tarballs);
  for (const name of PACKED) {
    const tarball = pack(`packages/${name}`, home);
    copyFileSync(tarball, join(tarballs, basename(tarball)));
  }
  return tarballs;
}

/** Arguments of npm that do before a release what `npm create @railyard/connector` does after it. */
export function createArguments(tarballs: string, given: readonly string[]): readonly string[] {
  const program = join(tarballs, 'railyard-create-connector-0.0.0.tgz');
  return ['exec', '--yes', `--package=${program}`, '--', 'create-connector', ...given, '--tarballs', tarballs];
}
