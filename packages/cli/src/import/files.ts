import { mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../commands/command.ts';

/** A file of the new connector: its name below the folder, and its text. */
export interface NewFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Writes all files, or none where one of them is there already.
 *
 * @returns their paths as they were asked for
 * @throws UsageError for files that are there
 */
export async function writeFiles(
  cwd: string,
  folder: string,
  files: readonly NewFile[],
  overwrite: boolean,
): Promise<readonly string[]> {
  const paths = files.map(({ name }) => join(folder, name));
  const there = paths.filter((path) => existsSync(resolve(cwd, path)));
  if (there.length > 0 && !overwrite)
    throw new UsageError(
      `${there.join(' and ')} ${there.length > 1 ? 'are' : 'is'} there already. Choose another --name or --out, or replace what is there with --overwrite.`,
    );
  try {
    await mkdir(resolve(cwd, folder), { recursive: true });
    await Promise.all(files.map(({ text }, index) => writeFile(resolve(cwd, paths[index] ?? ''), text)));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new UsageError(`Nothing can be written to ${folder} (${code}). Name another folder with --out.`);
  }
  return paths;
}
