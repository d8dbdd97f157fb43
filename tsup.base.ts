import { fileURLToPath } from 'node:url';
import type { Options } from 'tsup';
import { pureAtLoad } from './tools/pure-at-load.ts';

const IDENTIFIERS = {
  '@railyard/identifiers/*': [fileURLToPath(new URL('packages/identifiers/src/*.ts', import.meta.url))],
};

/** One build for every package, so that changing the bundler is a change of this file. */
export function library(entry: Record<string, string>, extra: Options = {}): Options {
  return {
    entry,
    format: ['esm'],
    target: 'es2023',
    platform: 'neutral',
    // What goes into the build goes into its types too, as if it were the package's own: nobody has it installed.
    dts: { entry: ownEntries(entry), compilerOptions: { paths: extra.noExternal === undefined ? {} : IDENTIFIERS } },
    esbuildPlugins: [pureAtLoad],
    // Letters as they are: an escaped one takes twice the bytes.
    esbuildOptions: (options) => {
      options.charset = 'utf8';
    },
    clean: true,
    treeshake: true,
    splitting: true,
    sourcemap: false,
    ...extra,
  };
}

/** Types are made for what the package itself offers, not for a file of another package. */
function ownEntries(entry: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(entry).filter(([, path]) => path.startsWith('src/')));
}
