import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { packages, readManifest, root } from '../../../test/support/workspace.ts';

/**
 * The manifests of this repository in a folder of their own, without sources and without waiting changesets.
 *
 * @param version that every package has there; `1.0.0`: all were released
 */
export function workspaceCopy(version: string): string {
  const home = mkdtempSync(join(tmpdir(), 'railyard-release-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, '.changeset'));
  for (const file of ['package.json', 'pnpm-workspace.yaml', '.changeset/config.json'])
    copyFileSync(join(root, file), join(home, file));
  for (const { folder } of packages()) {
    mkdirSync(join(home, folder), { recursive: true });
    writeVersion(home, folder, version);
  }
  return home;
}

/** Gives one package of a copy another version. */
export function writeVersion(home: string, folder: string, version: string): void {
  writeFileSync(join(home, folder, 'package.json'), JSON.stringify({ ...readManifest(folder), version }));
}

let changesets = 0;

export function writeChangeset(home: string, steps: Readonly<Record<string, string>>, summary = 'Something.'): void {
  const lines = Object.entries(steps).map(([name, step]) => `'${name}': ${step}`);
  changesets += 1;
  writeFileSync(join(home, `.changeset/change-${changesets}.md`), `---\n${lines.join('\n')}\n---\n\n${summary}\n`);
}
