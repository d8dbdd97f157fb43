import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A directory with the data of payers that other users of the machine may read, and that this process may not change. */
export class ReadableByOthersError extends Error {
  override readonly name = 'ReadableByOthersError';
}

type SetMode = (path: string, mode: number) => void;

const OTHERS = 0o077;
/** Of a data directory: the database and its lock, and keys. Other files in it are not the service's to change. */
const OURS = /^database(\.lock)?$|\.key$/;

/**
 * Takes the rights of other users off a data directory and the service's files in it, also where they existed before: directories become
 * 0700, files 0600. Windows has no such rights and is left alone.
 *
 * @param setMode how rights are changed; as the system does it, unless given
 * @throws ReadableByOthersError where that is not allowed
 */
export function keepToOwner(dataDir: string, setMode: SetMode = chmodSync): void {
  if (process.platform === 'win32') return;
  restrict(dataDir, setMode);
  for (const name of readdirSync(dataDir)) if (OURS.test(name)) restrictAll(join(dataDir, name), setMode);
}

function restrictAll(path: string, setMode: SetMode): void {
  if (restrict(path, setMode) === 'other') return;
  for (const name of readdirSync(path)) restrictAll(join(path, name), setMode);
}

function restrict(path: string, setMode: SetMode): 'directory' | 'other' {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return 'other';
  const mode = found.isDirectory() ? 0o700 : 0o600;
  if ((found.mode & OTHERS) !== 0) change(path, mode, setMode);
  return found.isDirectory() ? 'directory' : 'other';
}

function change(path: string, mode: number, setMode: SetMode): void {
  try {
    setMode(path, mode);
  } catch {
    throw new ReadableByOthersError(
      `Other users may read ${path}, which holds data of payers, and this process may not change that. Run as its owner: chmod ${mode.toString(8)} ${path}`,
    );
  }
}
