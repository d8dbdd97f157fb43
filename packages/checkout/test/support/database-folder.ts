import { statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
/** Bytes that all databases of a run have room in: some forty are open at once, 40 MB each. */
const ENOUGH = 4 * 2 ** 30;

/**
 * A new folder for a database, in memory where the machine has room there: a run copies hundreds of databases, and a disk that has to write
 * them all makes each copy wait. A killed process loses nothing there either.
 *
 * @param name the beginning of its name
 */
export const databaseFolder = (name: string): Promise<string> =>
  mkdtemp(join(hasRoom() ? MEMORY : tmpdir(), `checkout-${name}-`));

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH;
  } catch {
    return false;
  }
}
