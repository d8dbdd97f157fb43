import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { inject } from 'vitest';
import { npm } from '../../../test/support/pack.ts';
import { published } from '../../../test/support/workspace.ts';

/** Every connector package of the workspace. */
export const connectors: readonly string[] = published()
  .map(({ manifest }) => manifest.name)
  .filter((name) => name.includes('/connector-'));

/**
 * An empty project in which these packages were installed, and nothing else but what they ask for.
 *
 * @param node that runs npm
 */
export function projectWith(names: readonly string[], node = process.execPath): string {
  const home = inject('home');
  mkdirSync(join(home, 'projects'), { recursive: true });
  const folder = mkdtempSync(join(home, 'projects/shop-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const tarballs = inject('tarballs');
  const wanted = names.map((name) => {
    const tarball = tarballs[name];
    if (tarball === undefined) throw new Error(`There is no tarball of ${name}.`);
    return tarball;
  });
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--engine-strict', '--prefer-offline'];
  npm(node, ['install', ...flags, ...wanted], folder);
  return folder;
}

/** A program of fixtures/, with the connector that it is about. */
export function program(name: string, connector: string, into: string): string {
  const text = readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)), 'utf8');
  writeFileSync(join(into, name), text.replaceAll('@railyard/connector-pix', connector));
  return join(into, name);
}

/** What a project has of ours. */
export const installed = (folder: string): string[] => readdirSync(join(folder, 'node_modules/@railyard')).toSorted();
