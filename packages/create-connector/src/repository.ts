import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BadUse } from './names.ts';

// Addresses as git and people write them: git@host:you/name.git, ssh://git@host/you/name, https://host/you/name.git. A password
// in front is left out.
const ADDRESS =
  /^(?:(?:git\+)?(?:https?|ssh):\/\/)?(?:[^@/]+@)?([\w.-]+\.[a-z]+)(?::\d+)?[:/]([\w./-]+?)(?:\.git)?\/?$/i;
const SHORT = /^[\w-]+\/[\w.-]+$/;

/**
 * The address of a repository as package.json has it. npm publishes with provenance only where it is the one that was built.
 *
 * @param given an address as git has it, or `you/name` on GitHub
 * @throws BadUse for anything else
 * @example repositoryUrl('you/railyard-connector-sun') // 'git+https://github.com/you/railyard-connector-sun.git'
 */
export function repositoryUrl(given: string): string {
  const [, host, path] = ADDRESS.exec(SHORT.test(given) ? `https://github.com/${given}` : given) ?? [];
  if (host === undefined || path === undefined)
    throw new BadUse(
      `"${given}" is no address of a repository. Say you/name for one on GitHub, or https://host.example/you/name.`,
    );
  return `git+https://${host}/${path}.git`;
}

/** Where the repository that begins in this folder is pushed to; nothing where there is none, or not on the web. */
export function remoteOf(folder: string): string | undefined {
  if (!existsSync(join(folder, '.git'))) return undefined;
  const { status, stdout } = spawnSync('git', ['-C', folder, 'remote', 'get-url', 'origin'], { encoding: 'utf8' });
  if (status !== 0 || !ADDRESS.test(stdout.trim())) return undefined;
  return repositoryUrl(stdout.trim());
}
