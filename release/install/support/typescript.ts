import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { npmInstall } from '../../../test/support/npm-install.ts';

/** The oldest compiler that zod is made for, and the newest. */
export const supportedTypeScripts: readonly string[] = ['5.5.4', '7.0.2'];

/** Where a TypeScript of this version has its command, fetched through npm. */
export function typescriptOf(version: string): string {
  const folder = join(inject('home'), `typescript-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  npmInstall(process.execPath, ['--prefer-offline', `typescript@${version}`], folder);
  return join(folder, 'node_modules/typescript/bin/tsc');
}
