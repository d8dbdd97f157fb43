// Kills the service at every point of a payment, on both engines, and by every plan of the tests that kill it; the ordinary tests take a few.
process.env.RAILYARD_CRASH_POINTS = 'all';
process.argv.push('--project', 'checkout', '--project', 'checkout-server', 'test/crash', 'kill');
await import('./test.mjs');
