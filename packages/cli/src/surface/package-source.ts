import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UsageError } from '../commands/command.ts';
import { builtEntry, entriesOf, foldersAbove, type Package, packageIn } from '../connectors/package-entry.ts';

const run = promisify(execFile);

/** A package to look at; `remove` deletes the folder that it was unpacked to. */
export interface Source {
  readonly one: Package;
  remove(): Promise<void>;
}

/**
 * Opens a package: a folder, a tarball, or a version that npm fetches from the registry that it is configured for.
 *
 * @param name of the package whose version is meant
 */
export async function openPackage(given: string, name: string | undefined, cwd: string): Promise<Source> {
  const path = resolve(cwd, given);
  const found = existsSync(path) ? await stat(path) : undefined;
  if (found?.isDirectory() === true) {
    const one = await expectPackage(path, given);
    await refuseStale(one);
    return { one, remove: async () => undefined };
  }
  const folder = await unpackFolder(cwd);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const tarball = found === undefined ? await fetched(given, name, folder) : path;
    await run('tar', ['-xzf', tarball, '-C', folder]).catch(() => {
      throw new UsageError(`${given} is no tarball of a package: it cannot be unpacked.`);
    });
    return { one: await expectPackage(join(folder, 'package'), given), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Reads a folder's build. @throws UsageError if the build is older than its sources */
async function refuseStale(one: Package): Promise<void> {
  const sources = join(one.folder, 'src');
  if (!existsSync(sources)) return;
  const newest = await newestIn(sources);
  for (const entry of entriesOf(one)) {
    const file = builtEntry(one, entry);
    if (file === undefined || file.startsWith(join(sources, sep)) || newest === undefined) continue;
    if ((await stat(file)).mtimeMs >= newest.mtimeMs) continue;
    const [built, source] = [file, newest.file].map((each) => relative(one.folder, each));
    throw new UsageError(
      `${one.manifest.name} was changed after it was built: ${built} is older than ${source}. Build it first: npm run build`,
    );
  }
}

async function newestIn(folder: string): Promise<{ readonly file: string; readonly mtimeMs: number } | undefined> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const dated = await Promise.all(files.map(async (file) => ({ file, mtimeMs: (await stat(file)).mtimeMs })));
  return dated.toSorted((one, other) => other.mtimeMs - one.mtimeMs)[0];
}

async function expectPackage(folder: string, given: string): Promise<Package> {
  const one = await packageIn(folder);
  if (one === undefined) throw new UsageError(`${given} holds no package: there is no package.json.`);
  return one;
}

/** Below the project's own libraries, so that the unpacked package finds core and zod as the project does. */
async function unpackFolder(cwd: string): Promise<string> {
  const above = [...foldersAbove(cwd), ...foldersAbove(fileURLToPath(new URL('.', import.meta.url)))];
  const home = above.find((folder) => existsSync(join(folder, 'node_modules')));
  if (home === undefined) throw new UsageError('There is no node_modules here. Run npm install first.');
  const cache = join(home, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  return mkdtemp(join(cache, 'railyard-diff-'));
}

async function fetched(version: string, name: string | undefined, folder: string): Promise<string> {
  if (!/^[\w.^~+-]+$/.test(version) || name === undefined || name === '')
    throw new UsageError(`--against ${version}: there is no such file, and it is no version.`);
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, ['pack', `${name}@${version}`, '--pack-destination', folder, '--silent'], { cwd: folder }).catch(
    () => {
      throw new UsageError(
        `npm could not fetch ${name}@${version}. See whether it was published; or give a tarball: --against old.tgz`,
      );
    },
  );
  const tarball = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new UsageError(`npm fetched no tarball of ${name}@${version}.`);
  return join(folder, tarball);
}
