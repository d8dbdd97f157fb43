import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../test/support/workspace.ts';
import { command } from './command.ts';
import { buildPackages, checkTarballs } from './make-release.ts';
import { writeRepository } from './repository-field.ts';
import { handOver, run } from './run.ts';
import { readTarball } from './tarball-offences.ts';

// The second half: what the registry lacks is packed, checked, and published as it was checked.
await command(async () => {
  const work = mkdtempSync(join(tmpdir(), 'railyard-publish-'));
  try {
    buildPackages(root);
    writeRepository(root, process.env);
    run('pnpm', ['exec', 'changeset', 'pack', '--out-dir', work], root);
    const tarballs = readdirSync(join(work, 'packages')).map((file) => join(work, 'packages', file));
    checkTarballs(tarballs.map(readTarball), work);
    // npm asks a person for a second factor.
    handOver('pnpm', ['exec', 'changeset', 'publish', '--from-pack-dir', work], root);
    return 'The registry has all that is released.';
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
});
