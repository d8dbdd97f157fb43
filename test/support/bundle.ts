import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** What a bundle is for. `edge`: runtimes with the web's interfaces and none of Node's. */
export type Target = 'browser' | 'edge';

/** What core and one method of a connector may weigh in a page, gzipped, without zod and without what is counted apart. */
export const PAGE_BUDGET_KB = 16;

/** Libraries that a page takes for one kind of value, counted apart in sizes; each with what it is for. */
export const COUNTED_APART: Readonly<Record<string, string>> = {
  ibantools: 'account numbers of every country',
  '@noble/hashes': 'checksums of crypto addresses',
  '@scure/base': 'checksums of crypto addresses',
};

/**
 * What a page leaves out when its size is counted: zod, the libraries that are counted apart, and the file of those that are built into a
 * connector (docs/decisions/validation-and-bundle-size.md).
 *
 * @param folder where the connector is installed
 */
export function notCounted(folder: string, connector: string): readonly string[] {
  const dist = join(folder, 'node_modules', connector, 'dist');
  const list = join(dist, 'libraries.js');
  const files = existsSync(list) ? readFileSync(list, 'utf8').matchAll(/from '\.\/(?<file>[^']+)'/g) : [];
  const builtIn = Array.from(files, ({ groups }) => join(realpathSync(dist), groups?.file ?? ''));
  return ['zod', ...Object.keys(COUNTED_APART), ...builtIn];
}

export interface Bundle {
  readonly text: string;
  /** Bytes after gzip, as a server with prepared files sends them. */
  readonly gzipped: number;
  /** Names of libraries whose code is in it. */
  readonly packages: readonly string[];
  /** Paths of the files that were read for it. */
  readonly files: readonly string[];
}

/**
 * Bundles and minifies a program from what is installed in a folder. Fails where it needs a module of Node.
 *
 * @param external packages that the host brings, and files
 */
export async function bundleOf(
  folder: string,
  program: string,
  { target, external = [] }: { readonly target: Target; readonly external?: readonly string[] },
): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
    external: [...external],
    format: external.length > 0 ? 'esm' : 'iife',
    ...(target === 'browser'
      ? { platform: 'browser' }
      : { platform: 'neutral', mainFields: ['module', 'main'], conditions: ['edge-light', 'worker'] }),
  });
  const text = outputFiles[0]?.text ?? '';
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const names = used.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? (packageIn(path) ?? []) : []));
  return {
    text,
    gzipped: gzipSync(text, { level: 9 }).byteLength,
    packages: [...new Set(names)],
    files: Object.keys(metafile.inputs),
  };
}

const packageIn = (path: string): string | undefined => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];

/** A page or an edge function that validates with one method of a connector. */
export const validating = (connector: string, method: string): string => `
  import { createRegistry } from '@railyard/core/registry';
  import { ${method} as method } from '${connector}/methods';
  export const registry = createRegistry([method]);`;
