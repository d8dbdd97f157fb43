// Prints as JSON what `npm run test:quick` runs besides the packages' unit tests. Usage: choose.ts [base], where a base is a commit.
import { execFileSync } from 'node:child_process';
import { paths, root } from '../../test/support/workspace.ts';
import { graphOf } from './graph.ts';
import { tierOf } from './tiers.ts';
import { touchedBy } from './touched.ts';

/** More files than this do not fit into the two minutes of the inner loop: the nearest are run. */
const MOST = 10;

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const lines = (text: string): string[] => text.split('\0').filter((line) => line !== '');

/** The commit that a branch grew from: that of the remote's main branch, or of the main branch here. */
function base(): string {
  for (const name of ['origin/HEAD', 'origin/main', 'main']) {
    try {
      return git('merge-base', 'HEAD', name).trim();
    } catch {
      // No such branch here: the next one.
    }
  }
  return 'HEAD';
}

const since = process.argv[2] ?? base();
const changed = [
  ...lines(git('diff', '--name-only', '--no-renames', '-z', since, '--')),
  ...lines(git('ls-files', '--others', '--exclude-standard', '-z')),
];
const graph = graphOf(root);
const tests = paths().filter((path) => path.endsWith('.test.ts') && !path.startsWith('release/install/'));
const tiers = new Map(tests.map((path) => [path, tierOf(path, graph)]));
const of = (tier: string) => tests.filter((path) => tiers.get(path) === tier);
const service = touchedBy(changed, of('service'), graph);
const slow = touchedBy(changed, of('slow'), graph);
const tested = touchedBy(changed, of('unit'), graph);
process.stdout.write(
  JSON.stringify({
    changed: changed.length,
    unit: of('unit').filter((path) => !path.startsWith('test/')),
    gates: of('unit').filter((path) => path.startsWith('test/')),
    service: service.tests.slice(0, MOST),
    left: { service: service.tests.slice(MOST), slow: slow.tests },
    unreached: service.unreached.filter((path) => slow.unreached.includes(path) && tested.unreached.includes(path)),
  }),
);
