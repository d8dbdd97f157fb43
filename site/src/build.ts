import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { deadLinks, foreignLoads } from './links.ts';
import { llmsText } from './navigation.ts';
import { allPages, staged } from './stage.ts';
import { writeStaged } from './staged-pages.ts';

const home = fileURLToPath(new URL('..', import.meta.url));
const out = join(home, '.vitepress/dist');

const pages = staged(await allPages());
writeStaged(pages);
await build(home);

// Language models read the Markdown, and find it by llms.txt.
for (const { path, text } of pages) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), text);
}
writeFileSync(join(out, 'llms.txt'), llmsText(pages));

const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
const html = files.filter((name) => name.endsWith('.html') && name !== '404.html');
const built = html.map((path) => ({ path, text: readFileSync(join(out, path), 'utf8') }));
const offences = [...deadLinks(built, new Set(files)), ...foreignLoads(built)];
for (const line of offences) process.stderr.write(`${line}\n`);
process.stdout.write(`${html.length} pages in ${out}, ${offences.length} offences\n`);
process.exitCode = offences.length === 0 ? 0 : 1;
