// Kills the service at every point of a payment, on both engines, and by every plan of the tests that kill it; the ordinary tests take a few.
import { CRASH } from './long-tests.mjs';

process.env.RAILYARD_CRASH_POINTS = 'all';
process.argv.push(...CRASH.projects.flatMap((name) => ['--project', name]), ...CRASH.files);
await import('./test.mjs');
