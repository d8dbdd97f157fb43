import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const versions = z.record(z.string(), z.string()).default({});

const manifest = z.looseObject({
  name: z.string(),
  version: z.string().optional(),
  description: z.string().optional(),
  private: z.boolean().optional(),
  license: z.string().optional(),
  keywords: z.array(z.string()).default([]),
  type: z.string().optional(),
  sideEffects: z.unknown().optional(),
  engines: versions,
  files: z.array(z.string()).default([]),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  exports: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])).default({}),
  scripts: versions,
  dependencies: versions,
  devDependencies: versions,
  peerDependencies: versions,
  optionalDependencies: versions,
});

export type Manifest = z.infer<typeof manifest>;

/** A file of the repository: its path from the root, with slashes, and what it says. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** A package under packages/. `files` holds the names directly in its folder. */
export interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly files: readonly string[];
}

export function parseManifest(text: string): Manifest {
  return manifest.parse(JSON.parse(text));
}

export function readManifest(folder: string, from = root): Manifest {
  return parseManifest(readFileSync(join(from, folder, 'package.json'), 'utf8'));
}

/** @param from the repository or a copy of it */
export function packages(from = root): Package[] {
  return readdirSync(join(from, 'packages'))
    .map((name) => `packages/${name}`)
    .filter((folder) => existsSync(join(from, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readManifest(folder, from), files: readdirSync(join(from, folder)) }));
}

/** The packages that are published. */
export function published(from = root): Package[] {
  return packages(from).filter(({ manifest }) => manifest.private !== true);
}

/** Paths of every file that is tracked or would be, once added. */
export function paths(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return output.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

export function textFiles(wanted: (path: string) => boolean): TextFile[] {
  return paths()
    .filter(wanted)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export function isBinary(path: string): boolean {
  return /\.(png|ico|woff2?|jpg|gif|pdf|gz|tgz)$/.test(path);
}

export function isTest(path: string): boolean {
  return /\.test\.m?[tj]s$/.test(path) || /(^|\/)test\//.test(path);
}

export function isCode(path: string): boolean {
  return /\.m?[tj]s$/.test(path) && !/(^|\/)fixtures\//.test(path);
}
