import {
  crashEverywhere,
  crashTwice,
  failEverywhere,
  NETWORK_FAULTS,
  type Played,
  playThrough,
  type Scenario,
  type Stage,
} from '@railyard/conformance';
import * as fc from '../../test/support/properties.ts';
import { expect, test } from 'vitest';
import { sessionRequest } from '../support/session.ts';
import { cryptoConnector } from './connector.ts';
import { cryptoDeposit } from './methods.ts';
import { CryptoProvider } from './provider.ts';

const settings = cryptoConnector.settings.parse({
  base_url: 'https://crypto.example',
  api_key: 'key',
  webhook_secret: 'a-long-enough-secret',
});

type Play = (stage: Stage<CryptoProvider>) => Promise<void>;

function scenario(play: Play): Scenario<CryptoProvider> {
  return {
    deployment: {
      connector: cryptoConnector,
      method: cryptoDeposit,
      settings,
      session: {
        ...sessionRequest('crypto-deposit'),
        order: { number: 'order-7', currency: 'BTC', description: 'Top up' },
      },
    },
    provider: () => new CryptoProvider(),
    play,
  };
}

const threeDeposits = scenario(async ({ host, provider, once, deliver }) => {
  await host.pay();
  if (host.payment.references.length === 0) return;
  once('first', () => provider.deposit('tx-1', '0.00400000'));
  await deliver();
  once('second', () => provider.deposit('tx-2', '0.00100000', '0.00050000'));
  await deliver();
  for (const txid of ['tx-1', 'tx-2'])
    once(`confirm ${txid}`, () => {
      provider.confirm(txid);
      provider.confirm(txid);
      provider.confirm(txid);
    });
  await deliver();
  await host.poll();
});

function expectAllReceived({ payment }: Played<CryptoProvider>): void {
  expect(payment.state).toMatchObject({ state: 'settled', unknown: false });
  expect(payment.state.received).toMatchObject({ text: '0.00550000', currency: 'BTC' });
  expect(payment.quarantined).toEqual([]);
}

test('several deposits of any amount add up, each counted once', async () => {
  expectAllReceived(await playThrough(threeDeposits));
});

test('the payer is shown the address', async () => {
  const { payment } = await playThrough(scenario(({ host }) => host.pay()));
  expect(payment.show).toEqual({ kind: 'address', address: 'bc1qad-1', asset: 'BTC', network: 'bitcoin' });
  expect(payment.state).toMatchObject({ state: 'pending', amount: 'payer' });
});

test('a deposit counts only once it is confirmed', async () => {
  const { payment } = await playThrough(
    scenario(async ({ host, provider, once, deliver }) => {
      await host.pay();
      once('deposit', () => provider.deposit('tx-1', '0.00400000'));
      once('confirm', () => provider.confirm('tx-1'));
      await deliver();
      await host.poll();
    }),
  );
  expect(payment.state).toMatchObject({ state: 'pending', received: undefined });
});

test('every crash ends with every deposit counted once', async () => {
  const points = await crashEverywhere(threeDeposits, expectAllReceived);
  expect(points).toBeGreaterThan(20);
});

test('two crashes end with every deposit counted once', async () => {
  await crashTwice(threeDeposits, expectAllReceived);
});

test('every network fault ends with every deposit counted once', async () => {
  await failEverywhere(threeDeposits, NETWORK_FAULTS, expectAllReceived);
});

test('the order in which deposits are told, and how often, changes nothing', async () => {
  const order = fc.array(fc.nat({ max: 7 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(order, async (picks) => {
      const shuffled = scenario(async ({ host, provider, once }) => {
        await host.pay();
        once('all', () => {
          provider.deposit('tx-1', '0.00400000');
          provider.deposit('tx-2', '0.00100000', '0.00050000');
          for (const txid of ['tx-1', 'tx-2', 'tx-1', 'tx-2']) provider.confirm(txid);
        });
        for (const pick of picks) {
          const raw = provider.outbox[pick];
          if (raw === undefined) await host.poll();
          else await host.receive(raw);
        }
        await host.poll();
      });
      expectAllReceived(await playThrough(shuffled));
    }),
    { numRuns: 60 },
  );
});

test('a notification with another secret is refused', async () => {
  const { payment, world } = await playThrough(
    scenario(async ({ host, provider, once, world }) => {
      await host.pay();
      once('deposit', () => provider.deposit('tx-1', '9.00000000'));
      once('confirm', () => [1, 2].forEach(() => provider.confirm('tx-1')));
      for (const raw of provider.outbox) {
        const forged = await host.receive({ ...raw, headers: { 'x-webhook-secret': 'a-long-enough-secreT' } });
        world.log.push(String(forged));
      }
    }),
  );
  expect(world.log.slice(-3)).toEqual(['401', '401', '401']);
  expect(payment.state.received).toBeUndefined();
});
