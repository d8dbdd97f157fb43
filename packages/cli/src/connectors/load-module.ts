import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../commands/command.ts';

/**
 * Imports a file that the user named. TypeScript is read as it is by Node.
 *
 * @throws UsageError that names the file and says why it does not load
 */
export async function loadModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  const { mtimeMs } = await stat(file).catch(() => {
    throw new UsageError(`There is no ${file}.`);
  });
  try {
    // Under another query a file that has changed is read again.
    const module: Readonly<Record<string, unknown>> = await import(`${pathToFileURL(file).href}?${mtimeMs}`);
    return module;
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new UsageError(`${relative(process.cwd(), file) || file} cannot be loaded: ${why}`);
  }
}
