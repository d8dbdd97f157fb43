import type { Options } from 'tsup';

/** One build for every package, so that changing the bundler is a change of this file. */
export function library(entry: Record<string, string>, extra: Options = {}): Options {
  return {
    entry,
    format: ['esm'],
    target: 'es2023',
    platform: 'neutral',
    dts: true,
    clean: true,
    treeshake: true,
    splitting: true,
    sourcemap: false,
    ...extra,
  };
}
