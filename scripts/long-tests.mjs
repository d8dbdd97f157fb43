/** Tests of which `npm test` takes a part and `npm run test:crash` all: their projects, and words that the paths of their files contain. */
export const CRASH = { projects: ['checkout', 'checkout-server'], files: ['test/crash', 'kill'] };

/**
 * Test files that take a quarter of a minute and more, and that a change seldom breaks alone: `npm test` leaves them out, which saves
 * more than a third of its processor time; `npm run test:long` runs them.
 */
export const LONG = [
  'demo/test/demo.test.ts',
  'demo/test/first-payment.test.ts',
  'packages/checkout/test/cards/co-brands-in-browser.test.ts',
  'packages/checkout/test/cards/in-firefox.test.ts',
  'packages/checkout/test/cards/rotation.test.ts',
  'packages/checkout/test/commands-callbacks.test.ts',
  'packages/checkout/test/commands-configuration.test.ts',
  'packages/checkout/test/commands-modifications.test.ts',
  'packages/checkout/test/commands-retention.test.ts',
  'packages/checkout/test/crypto/in-browser.test.ts',
  'packages/checkout/test/families/bank-in-browser.test.ts',
  'packages/checkout/test/families/voucher-in-browser.test.ts',
  'packages/checkout/test/families/wallet-in-browser.test.ts',
  'packages/checkout/test/families/wallet-payers-in-browser.test.ts',
  'packages/checkout/test/fields/canary-in-browser.test.ts',
  'packages/checkout/test/fields/co-brands-in-browser.test.ts',
  'packages/checkout/test/fields/frames.test.ts',
  'packages/checkout/test/fields/guide-in-browser.test.ts',
  'packages/checkout/test/fields/in-browser.test.ts',
  'packages/checkout/test/hostile/cpu-budget.test.ts',
  'packages/checkout/test/mobile-money/in-browser.test.ts',
  'packages/checkout/test/model/hostile.test.ts',
  'packages/checkout/test/open-banking/in-browser.test.ts',
  'packages/checkout/test/page/leaving.test.ts',
  'packages/checkout/test/page/looks.test.ts',
  'packages/checkout/test/page/typed-as-people-type.test.ts',
  'packages/checkout/test/schedules/three-years.test.ts',
  'packages/checkout/test/server/claims.test.ts',
  'packages/checkout/test/server/configuration.test.ts',
  'packages/checkout/test/server/idle.test.ts',
  'packages/checkout/test/server/two-processes.test.ts',
  'packages/checkout/test/service/late-money.test.ts',
  'packages/checkout/test/service/log-stuck.test.ts',
  'packages/checkout/test/service/refused-repeat.test.ts',
  'packages/checkout/test/service/set-aside.test.ts',
  'packages/checkout/test/service/set-clock.test.ts',
  'packages/checkout/test/service/shutdown.test.ts',
  'packages/checkout/test/storage/database.test.ts',
  'packages/checkout/test/wallets/in-browser.test.ts',
  'packages/checkout/test/wallets/wallet-crash-dump.test.ts',
  'packages/checkout/test/ways-out/framed-in-browser.test.ts',
  'packages/checkout/test/ways-out/in-browser.test.ts',
  'packages/checkout/test/ways-out/to-card-in-browser.test.ts',
  'packages/cli/test/import-official.test.ts',
  'packages/cli/test/import-runs.test.ts',
  'packages/connector-card/test/false-alarms.test.ts',
  'packages/connector-card/test/planted-faults.test.ts',
  'packages/runtime/test/linear.test.ts',
  'test/docs/docs.test.ts',
];

/** What `vitest.base.ts` reads to leave them out. */
export const WITHOUT_LONG = { RAILYARD_LEFT_OUT: LONG.join(' ') };
