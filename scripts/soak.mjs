// The tests that draw stories at random, with many more of them than `npm test` plays, and wallets' tokens with every byte changed. Usage: npm run test:soak [-- number of stories]
const stories = process.argv[2] ?? '10000';
if (!/^[1-9]\d{0,6}$/.test(stories)) throw new Error('Usage: npm run test:soak [-- number of stories]');
process.env.RAILYARD_SOAK = stories;
process.argv.splice(
  2,
  Infinity,
  '--project',
  'checkout',
  '--project',
  'connector-card',
  'test/model',
  'mutations',
  'wallet-tokens',
);
await import('./test.mjs');
