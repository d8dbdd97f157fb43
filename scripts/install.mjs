import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, say } from './print.mjs';
import { pnpm, root } from './run.mjs';

const stamp = join(root, 'node_modules', '.railyard-installed');

/**
 * Installs exactly what the lockfile says; skipped while the lockfile and every package.json are as they were. Its log goes to stderr: stdout
 * belongs to the command that installs first, `npm run -s railyard`.
 */
export async function install(toolchain) {
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
    say('dependencies are up to date');
    return;
  }
  say('installing dependencies');
  const code = await pnpm(
    toolchain,
    ['install', '--frozen-lockfile', '--reporter=append-only', '--config.confirmModulesPurge=false'],
    { stdio: ['inherit', process.stderr, 'inherit'] },
  );
  if (code !== 0) {
    throw new Refusal(
      'The dependencies could not be installed (see above).',
      'If the lockfile is out of date, run `npm run refresh-lockfile` and commit pnpm-lock.yaml.',
    );
  }
  writeFileSync(stamp, wanted);
}

/** Changes with the lockfile, the workspace file or any manifest, and when a package's node_modules is gone. */
function fingerprint() {
  const hash = createHash('sha256');
  const folders = readdirSync(join(root, 'packages')).map((name) => join('packages', name));
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, file)));
  for (const folder of ['.', 'examples', 'demo', 'bench', 'release', 'site', ...folders]) {
    const manifest = join(root, folder, 'package.json');
    if (!existsSync(manifest)) continue;
    hash.update(`${folder}\n`).update(readFileSync(manifest));
  }
  return hash.digest('hex');
}
