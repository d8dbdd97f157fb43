// Kills the service at every point of a payment, on both engines, and by every plan of the tests that kill it; the ordinary tests take a few.
// Usage: npm run test:crash [-- number of points of each flow, other ones each time]
import { CRASH } from './long-tests.mjs';

const points = process.argv[2] ?? 'all';
if (!/^(?:all|[1-9]\d{0,3})$/.test(points)) throw new Error('Usage: npm run test:crash [-- points of each flow]');
process.env.RAILYARD_CRASH_POINTS = points;
process.argv.splice(2, Infinity, ...CRASH.projects.flatMap((name) => ['--project', name]), ...CRASH.files);
await import('./test.mjs');
