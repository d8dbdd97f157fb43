import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { pack, scratch } from '../../../test/support/pack.ts';
import { published } from '../../../test/support/workspace.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where projects are made; gone after the run. */
    readonly home: string;
    /** Tarballs by the name of their package. */
    readonly tarballs: Readonly<Record<string, string>>;
  }
}

/**
 * The tarballs that are tried: those in the folder that RAILYARD_TARBALLS names, as a release made them, or else of the packages as
 * they are built here.
 */
export default function setup(project: TestProject): () => void {
  const home = scratch('install');
  const given = process.env['RAILYARD_TARBALLS'];
  const folder = join(home, 'tarballs');
  mkdirSync(folder);
  if (given === undefined) for (const one of published()) copyTo(folder, pack(one.folder, home));
  else for (const file of readdirSync(given).filter((name) => name.endsWith('.tgz'))) copyTo(folder, join(given, file));
  project.provide('home', home);
  project.provide('tarballs', byName(folder));
  return () => rmSync(home, { recursive: true, force: true });
}

function copyTo(folder: string, file: string): void {
  copyFileSync(file, join(folder, basename(file)));
}

/** A tarball's name is its package's, without scope, and its version. */
function byName(folder: string): Record<string, string> {
  const files = readdirSync(folder);
  return Object.fromEntries(
    published().flatMap(({ manifest: { name } }) => {
      const start = name.replace('@', '').replace('/', '-');
      const file = files.find((each) => each.startsWith(start) && /^-\d/.test(each.slice(start.length)));
      return file === undefined ? [] : [[name, join(folder, file)]];
    }),
  );
}
