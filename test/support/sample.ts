import { parseManifest, type Package } from './workspace.ts';

/** A package in good order, with what a test wants to spoil. */
export function samplePackage(name: string, spoil: Record<string, unknown> = {}, files?: readonly string[]): Package {
  const manifest = {
    name: `@railyard/${name}`,
    version: '0.0.0',
    description: 'A sample.',
    license: 'MIT',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22.19' },
    files: ['dist', 'CHANGELOG.md'],
    exports: {
      '.': { '@railyard/source': './src/index.ts', types: './dist/index.d.ts', import: './dist/index.js' },
      './package.json': './package.json',
    },
    scripts: { build: 'tsup' },
    ...spoil,
  };
  return {
    folder: `packages/${name}`,
    manifest: parseManifest(JSON.stringify(manifest)),
    files: files ?? ['package.json', 'README.md', 'src', 'tsup.config.ts'],
  };
}
