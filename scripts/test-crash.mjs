// Kills the service at every point of a payment, on both engines, and by every plan of the tests that kill it; the ordinary tests take a few.
// Usage: npm run test:crash [-- number of points of each flow, each flow on one engine, and two of the files with plans: other ones each time]
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CRASH } from './long-tests.mjs';
import { say } from './print.mjs';
import { root } from './run.mjs';

const FILES_OF_A_PART = 2;

const points = process.argv[2] ?? 'all';
if (!/^(?:all|[1-9]\d{0,3})$/.test(points)) throw new Error('Usage: npm run test:crash [-- points of each flow]');
process.env.RAILYARD_CRASH_POINTS = points;
const files = points === 'all' ? CRASH.files : ['test/crash', ...someFiles()];
process.argv.splice(2, Infinity, ...CRASH.projects.flatMap((name) => ['--project', name]), ...files);
await import('./test.mjs');

/** Chosen by the seed that the points are chosen by. */
function someFiles() {
  const seed = (process.env.RAILYARD_SEED ??= randomBytes(4).toString('hex'));
  say(`RAILYARD_SEED=${seed}`);
  const rank = (path) => createHash('sha256').update(`${seed} ${path}`).digest('hex');
  const tests = 'packages/checkout/test';
  return readdirSync(join(root, tests), { recursive: true })
    .filter((path) => /kill[^/]*\.test\.ts$/.test(path))
    .sort((one, other) => rank(one).localeCompare(rank(other)))
    .slice(0, FILES_OF_A_PART)
    .map((path) => `${tests}/${path}`);
}
