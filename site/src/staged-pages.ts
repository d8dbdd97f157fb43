import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from './page.ts';

/** Where the generator finds its pages. Made anew by every build. */
export const STAGED = fileURLToPath(new URL('../.vitepress/pages', import.meta.url));

export function writeStaged(pages: readonly Page[]): void {
  rmSync(STAGED, { recursive: true, force: true });
  for (const { path, text } of pages) {
    const file = join(STAGED, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

export function readStaged(): Page[] {
  return readdirSync(STAGED, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => ({ path: name.replaceAll('\\', '/'), text: readFileSync(join(STAGED, name), 'utf8') }));
}
