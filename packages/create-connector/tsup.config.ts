import { cp } from 'node:fs/promises';
import { defineConfig } from 'tsup';
import { library } from '../../tsup.base.ts';

/** The template goes along as it is; it is built where it is written. */
export default defineConfig(
  library(
    { index: 'src/index.ts', bin: 'src/bin.ts' },
    { platform: 'node', onSuccess: () => cp('template', 'dist/template', { recursive: true, filter: isTemplate }) },
  ),
);

function isTemplate(path: string): boolean {
  return !path.includes('node_modules');
}
