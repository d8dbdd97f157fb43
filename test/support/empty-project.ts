import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstall } from './npm-install.ts';

/**
 * A new folder in which these tarballs were installed, and nothing else but what they ask for.
 *
 * @param home where the folder is made
 * @param node that runs npm, and for which packages must say that they are made
 */
export function emptyProject(home: string, tarballs: readonly string[], node = process.execPath): string {
  const folder = mkdtempSync(join(home, 'project-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  npmInstall(node, ['--engine-strict', '--prefer-offline', ...tarballs], folder);
  return folder;
}
