import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Written last: a folder without it was left behind by an interrupted process. */
const STAMP = 'installed';

/**
 * A folder that is made once, however many processes want it at the same time: each makes its own beside it, and the first one that is
 * done gives it the name. No process ever sees, or removes, a folder that another process is still making.
 *
 * @param home path of the folder
 * @param part path within it, without which the folder is not whole
 * @param make fills the folder that it is given; what it throws is thrown, and nothing is left behind
 * @returns home
 */
export async function madeOnce(home, part, make) {
  const isMade = () => existsSync(join(home, STAMP)) && existsSync(join(home, part));
  if (isMade()) return home;
  mkdirSync(dirname(home), { recursive: true });
  const own = mkdtempSync(`${home}.`);
  try {
    await make(own);
    writeFileSync(join(own, STAMP), '');
    if (!isMade()) move(own, home, isMade);
    return home;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** A folder with something in it is not replaced by a rename: another process was faster, or was interrupted long ago. */
function move(own, home, isMade) {
  try {
    renameSync(own, home);
  } catch (error) {
    if (isMade()) return;
    if (!existsSync(home)) throw error;
    rmSync(home, { recursive: true, force: true });
    renameSync(own, home);
  }
}
