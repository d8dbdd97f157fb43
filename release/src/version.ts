import { root } from '../../test/support/workspace.ts';
import { command } from './command.ts';
import { raiseVersions } from './make-release.ts';

// The first half of a release: versions and changelogs of this checkout, to be looked at and committed.
await command(async () => {
  const plan = await raiseVersions(root);
  const lines = plan.map(({ name, from, to }) => `${name} ${from} → ${to}`);
  return lines.length === 0 ? 'Nothing waits to be released.' : lines.join('\n');
});
