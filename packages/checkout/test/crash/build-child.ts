import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import { buildPageFiles } from '../../../../tools/page-files.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A change of one source that must be noticed. */
export interface Mutant {
  /** Below `packages/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface BuiltChild {
  readonly program: string;
  /** To be loaded before the program: watches the embedded database. */
  readonly preload: string;
  /** For Node's cache of compiled code. */
  readonly cache: string;
  remove(): Promise<void>;
}

/**
 * The service in one file, so that it starts quickly: hundreds of starts are needed. With mutants, it is built from changed
 * sources; the sources themselves stay as they are.
 */
export async function buildChild(mutants: readonly Mutant[] = []): Promise<BuiltChild> {
  // Below the package, where the embedded database is found; it stays outside, because it reads files beside its code.
  const folder = here('../../.railyard');
  await mkdir(folder, { recursive: true });
  const outDir = await mkdtemp(join(folder, 'crash-'));
  const applied = new Set<Mutant>();
  await build({
    entry: { child: here('child.ts'), preload: here('watch-embedded.ts') },
    outDir,
    config: false,
    silent: true,
    format: ['esm'],
    platform: 'node',
    target: 'node22',
    dts: false,
    splitting: true,
    noExternal: [/^(?!@electric-sql\/)/],
    external: [/^@electric-sql\/pglite/],
    // Libraries in CommonJS ask for Node's own modules with require.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    esbuildOptions: (options) => {
      options.conditions = ['@railyard/source'];
    },
    esbuildPlugins: [
      {
        name: 'mutants',
        setup(building) {
          building.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            const ofFile = mutants.filter(({ file }) => path.endsWith(`/${file}`));
            if (ofFile.length === 0) return undefined;
            let contents = await readFile(path, 'utf8');
            for (const mutant of ofFile) {
              if (!contents.includes(mutant.find)) throw new Error(`${mutant.file} has no ${mutant.find}`);
              contents = contents.replace(mutant.find, () => mutant.replace);
              applied.add(mutant);
            }
            return { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  for (const mutant of mutants) if (!applied.has(mutant)) throw new Error(`${mutant.file} is not part of the service.`);
  await buildPageFiles(outDir);
  return {
    program: join(outDir, 'child.js'),
    preload: join(outDir, 'preload.js'),
    cache: join(outDir, 'cache'),
    remove: () => rm(outDir, { recursive: true }),
  };
}
