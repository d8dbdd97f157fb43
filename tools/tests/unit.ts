// Runs the unit tests of the package in the current folder: its script `test`, whose result turbo keeps.
import { spawnSync } from 'node:child_process';
import { basename, join, relative } from 'node:path';
import { paths, root } from '../../test/support/workspace.ts';
import { graphOf } from './graph.ts';
import { tierOf } from './tiers.ts';

// They were run in one runner with those of other packages, and were green: `npm run test:quick` has that kept.
if (process.env['RAILYARD_UNIT_GREEN'] === '1') process.exit(0);

const folder = relative(root, process.cwd());
const graph = graphOf(root);
const files = paths()
  .filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.test.ts'))
  .filter((path) => tierOf(path, graph) === 'unit');
// A project of the test runner is called like the folder that it is in.
const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', basename(folder), ...files];
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
