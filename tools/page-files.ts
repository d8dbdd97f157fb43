import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SOURCES = fileURLToPath(new URL('../packages/checkout/src/page/assets/', import.meta.url));

/** The files that the code reads (page-assets.ts): without one of them no service starts. The others are parts of these. */
const FILES = [
  ...['page', 'live-status', 'card', 'fields', 'wallet', 'fragment', 'hosted-fields', 'pay-session'].map(
    (name) => `${name}.js`,
  ),
  'checkout.css',
  'fields.css',
];

/**
 * Writes the scripts and styles of the payment page, minified, each script with everything that it imports: a browser asks once. The code reads
 * them as files, from the same place beside it in the sources and in a build.
 *
 * @param folder where the code is
 */
export async function buildPageFiles(folder: string): Promise<void> {
  await build({
    entryPoints: FILES.map((file) => join(SOURCES, file)),
    outdir: join(folder, 'assets'),
    bundle: true,
    // The package says that its modules only export; those of a page act by themselves.
    ignoreAnnotations: true,
    minify: true,
    format: 'esm',
    target: 'es2020',
    logLevel: 'warning',
  });
}
