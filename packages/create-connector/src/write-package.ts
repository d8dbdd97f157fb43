import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestOf, type Versions } from './manifest.ts';
import { BadUse, camel, checkNames, type Names, providerFrom, slug } from './names.ts';

/** `dist/template` of the installed package, `template` beside its sources. */
const TEMPLATES = ['./template', '../template'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

/** npm leaves `.gitignore` out of packages, and takes a license anywhere for the package's own: the template has them under other names. */
const RENAMED = new Map([
  ['gitignore', '.gitignore'],
  ['license-text', 'LICENSE'],
]);

/**
 * Writes a connector package into a folder that is empty or not there yet.
 *
 * @returns the paths of the written files, relative to the folder
 * @throws BadUse for a name that does not do, a folder with something in it, or a package without a known version; nothing is written then
 * @example await writePackage('railyard-connector-example', names, await versionsOf())
 */
export async function writePackage(folder: string, names: Names, versions: Versions, year: number): Promise<string[]> {
  checkNames(names);
  const there = await readdir(folder).catch(() => []);
  if (there.some((name) => name !== '.git'))
    throw new BadUse(`The folder ${folder} is not empty. Choose another one, or empty it first.`);
  // A manifest that cannot be made leaves no files behind.
  const manifest = `${JSON.stringify(manifestOf(names, versions), undefined, 2)}\n`;
  const template = await templateFolder();
  const swap = words(names, year);
  const files = await filesOf(template);
  const written = await Promise.all(
    files.map(async (path) => {
      const target = swap(RENAMED.get(path) ?? path);
      await mkdir(dirname(join(folder, target)), { recursive: true });
      await writeFile(join(folder, target), swap(await readFile(join(template, path), 'utf8')));
      return target;
    }),
  );
  await writeFile(join(folder, 'package.json'), manifest);
  return [...written, 'package.json'].toSorted();
}

/** The longest of the template's words come first: one is within another. */
function words({ package: name, provider, method }: Names, year: number): (text: string) => string {
  const id = slug(provider);
  const swaps: readonly (readonly [string, string])[] = [
    ['example-package', name],
    ['example-author', `the authors of ${name}`],
    ['example-year', String(year)],
    ['exampleMethodLimits', `${camel(method)}Limits`],
    ['exampleMethod', `${camel(method)}Method`],
    ['example-method', method],
    ['Example Method', providerFrom(method)],
    ['examplePay', camel(id)],
    ['example-pay', id],
    ['Example Pay', provider],
  ];
  return (text) => swaps.reduce((swapped, [from, to]) => swapped.replaceAll(from, to), text);
}

async function templateFolder(): Promise<string> {
  for (const folder of TEMPLATES) if ((await readdir(folder).catch(() => [])).length > 0) return folder;
  throw new Error('The template is missing from this package. Install it again.');
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  // The template's own manifest is for work on the template; the written package gets one made for it.
  return paths.filter((path) => path !== 'package.json' && !path.startsWith('node_modules'));
}
