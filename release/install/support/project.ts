import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { emptyProject } from '../../../test/support/empty-project.ts';
import { published } from '../../../test/support/workspace.ts';

/** Every connector package of the workspace. */
export const connectors: readonly string[] = published()
  .map(({ manifest }) => manifest.name)
  .filter((name) => name.includes('/connector-'));

/** An empty project in which packages of ours were installed. */
export function projectWith(names: readonly string[], node?: string): string {
  const tarballs = inject('tarballs');
  const wanted = names.map((name) => {
    const tarball = tarballs[name];
    if (tarball === undefined) throw new Error(`There is no tarball of ${name}.`);
    return tarball;
  });
  return emptyProject(inject('home'), wanted, node);
}

/** A program of fixtures/, with the connector that it is about. */
export function program(name: string, connector: string, into: string): string {
  const text = readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)), 'utf8');
  writeFileSync(join(into, name), text.replaceAll('@railyard/connector-pix', connector));
  return join(into, name);
}

/** The packages of this repository that a project has installed. */
export const installed = (folder: string): string[] => readdirSync(join(folder, 'node_modules/@railyard')).toSorted();
