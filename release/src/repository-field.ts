import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { published } from '../../test/support/workspace.ts';

const anyManifest = z.record(z.string(), z.unknown());

/**
 * Writes into every published package.json where its sources, its documents and its issues are. The registry takes a provenance statement only for a package that
 * names the repository that built it; which one that is, the build knows (`GITHUB_SERVER_URL`, `GITHUB_REPOSITORY`).
 */
export function writeRepository(root: string, env: NodeJS.ProcessEnv): void {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env;
  if (server === undefined || name === undefined) return;
  for (const { folder } of published(root)) {
    const file = join(root, folder, 'package.json');
    const manifest = anyManifest.parse(JSON.parse(readFileSync(file, 'utf8')));
    const home = `${server}/${name}`;
    const written = {
      ...manifest,
      homepage: `${home}/tree/HEAD/${folder}#readme`,
      bugs: `${home}/issues`,
      repository: { type: 'git', url: `git+${home}.git`, directory: folder },
    };
    writeFileSync(file, `${JSON.stringify(written, undefined, 2)}\n`);
  }
}
