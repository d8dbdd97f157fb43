import {
  crashEverywhere,
  crashTwice,
  failEverywhere,
  NETWORK_FAULTS,
  type Played,
  playThrough,
  type Scenario,
} from '@railyard/conformance';
import { kyTransport } from '@railyard/runtime';
import { expect, test } from 'vitest';
import { serve } from '../support/provider-double.ts';
import { sessionRequest } from '../support/session.ts';
import { voucherConnector } from './connector.ts';
import { cashVoucher } from './methods.ts';
import { VoucherProvider } from './provider.ts';

const settings = { base_url: 'https://voucher.example', private_key: 'private', webhook_secret: 'notify-secret' };

const scenario: Scenario<VoucherProvider> = {
  deployment: { connector: voucherConnector, method: cashVoucher, settings, session: sessionRequest('cash-voucher') },
  provider: () => new VoucherProvider(),
  async play({ host, provider, once, deliver }) {
    await host.pay();
    if (host.payment.state.state === 'created') return;
    once('counter', () => provider.payAtCounter());
    await deliver();
  },
};

const impatient: Scenario<VoucherProvider> = {
  ...scenario,
  provider: () => Object.assign(new VoucherProvider(), { usesOfFirstToken: 1 }),
};

function expectPaidOnce({ payment, provider }: Played<VoucherProvider>): void {
  expect(payment.state).toMatchObject({ state: 'settled', unknown: false });
  expect(provider.ledger.map(({ effect }) => effect)).toEqual(['reference', 'payment', 'charge']);
}

test('the payer is shown a voucher, pays it at a counter, and the payment is settled', async () => {
  const played = await playThrough(scenario);
  expectPaidOnce(played);
  expect(played.provider.tokens).toBe(1);
  expect(played.payment.show).toEqual({
    kind: 'voucher',
    reference: '8001',
    document: 'https://voucher.example/p-1',
    validUntil: '2026-11-24T10:00:00Z',
  });
});

test('a token that is refused is renewed once, and what was done stays done', async () => {
  const played = await playThrough(impatient);
  expectPaidOnce(played);
  expect(played.provider.tokens).toBe(2);
});

test.each([
  ['a lasting token', scenario],
  ['a token that is taken back', impatient],
])('every crash ends in one paid voucher, with %s', async (_what, each) => {
  const points = await crashEverywhere(each, expectPaidOnce);
  expect(points).toBeGreaterThan(15);
});

test('every network fault ends in one paid voucher', async () => {
  await failEverywhere(scenario, NETWORK_FAULTS, expectPaidOnce);
});

test('two crashes end in one paid voucher', async () => {
  await crashTwice(impatient, expectPaidOnce);
});

test('the token is never written down', async () => {
  const { journal, world } = await playThrough(impatient);
  expect(journal + world.log.join('\n')).not.toMatch(/token-\d|private/);
});

test('the same over real HTTP', async () => {
  const provider = new VoucherProvider();
  const server = await serve(provider);
  const transport = kyTransport();
  const deployment = { ...scenario.deployment, settings: { ...settings, base_url: server.url } };
  try {
    const over = { ...scenario, deployment, provider: () => provider };
    expectPaidOnce(await playThrough(over, { transport: () => transport }));
  } finally {
    await transport.close();
    await server.close();
  }
});
