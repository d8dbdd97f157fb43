// Kills the service at every point of a payment, on both engines; the ordinary tests take a few points.
process.env.RAILYARD_CRASH_POINTS = 'all';
process.argv.push('--project', 'checkout', '--project', 'checkout-server', 'test/crash');
await import('./test.mjs');
