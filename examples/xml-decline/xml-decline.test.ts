import {
  crashEverywhere,
  crashTwice,
  failEverywhere,
  NETWORK_FAULTS,
  type Played,
  playThrough,
  refunded,
  type Scenario,
} from '@railyard/conformance';
import { money } from '@railyard/core';
import { kyTransport } from '@railyard/runtime';
import { expect, test } from 'vitest';
import { serve } from '../support/provider-double.ts';
import { sessionRequest } from '../support/session.ts';
import { xmlConnector } from './connector.ts';
import { storeAccount } from './methods.ts';
import { XmlProvider } from './provider.ts';

const settings = { base_url: 'https://xml.example', shop: 'A&B "Books"', sign_key: 'sign' };

function scenario(account: string, refunds: readonly string[] = []): Scenario<XmlProvider> {
  return {
    deployment: {
      connector: xmlConnector,
      method: storeAccount,
      settings,
      session: sessionRequest('store-account', { parameters: { 'store-account': { account } } }),
    },
    provider: () => new XmlProvider(),
    async play({ host }) {
      await host.pay();
      if (host.payment.state.unknown) await host.poll();
      if (host.payment.state.state !== 'settled') return;
      for (const [index, amount] of refunds.entries()) await host.refund(String(index + 1), money(amount, 'USD'));
    },
  };
}

const refundedTwice = scenario('12345678', ['10.00', '15.00']);

/** A charge without a reply is never sent again: what the provider does not know stays unknown. */
function expectAsTheLedgerSays({ payment, provider }: Played<XmlProvider>): void {
  const effects = provider.ledger.map(({ effect }) => effect);
  if (effects.length === 0) {
    expect(payment.state).toMatchObject({ state: 'pending', unknown: true });
    return;
  }
  expect(effects).toEqual(['charge', 'refund', 'refund']);
  expect(payment.state).toMatchObject({ state: 'settled', unknown: false });
  expect(refunded(payment)).toMatchObject({ text: '25.00' });
}

test('a payment is charged once and given back in two parts', async () => {
  const played = await playThrough(refundedTwice);
  expectAsTheLedgerSays(played);
  expect(played.provider.ledger.map(({ amount }) => amount)).toEqual(['25.00', '10.00', '15.00']);
});

test('values are escaped in the document', async () => {
  const { provider } = await playThrough(refundedTwice);
  expect(provider.documents[0]).toContain('<charge shop="A&amp;B &quot;Books&quot;">');
});

test.each([
  ['00000051', 'Not enough money & no credit'],
  ['00000014', 'No such account'],
])('a refusal with 402 for account %s is a decline', async (account, reason) => {
  const { payment, provider } = await playThrough(scenario(account));
  expect(payment.state).toMatchObject({ state: 'declined', unknown: false });
  expect(payment.reason).toBe(reason);
  expect(provider.ledger).toEqual([]);
});

test('more than what remains is not refunded', async () => {
  await expect(playThrough(scenario('12345678', ['20.00', '5.01']))).rejects.toThrow('Only 5.00 can be refunded.');
});

test('every crash ends as the ledger says, or unknown where the journal cannot say whether the request left', async () => {
  let unknowns = 0;
  const points = await crashEverywhere(refundedTwice, (played) => {
    expectAsTheLedgerSays(played);
    if (played.payment.state.unknown) unknowns += 1;
  });
  expect(points).toBeGreaterThan(20);
  // After "about to charge" was written and before the request left.
  expect(unknowns).toBe(2);
});

test('two crashes end as the ledger says', async () => {
  await crashTwice(refundedTwice, expectAsTheLedgerSays);
});

test('a crash never makes a payment of a decline', async () => {
  await crashEverywhere(scenario('00000051'), ({ payment, provider }) => {
    expect(provider.ledger).toEqual([]);
    if (!payment.state.unknown) expect(payment.state.state).toBe('declined');
  });
});

test('every network fault ends as the ledger says', async () => {
  await failEverywhere(refundedTwice, NETWORK_FAULTS, expectAsTheLedgerSays);
});

test('the same over real HTTP', async () => {
  const provider = new XmlProvider();
  const server = await serve(provider);
  const transport = kyTransport();
  const deployment = { ...refundedTwice.deployment, settings: { ...settings, base_url: server.url } };
  try {
    expectAsTheLedgerSays(
      await playThrough({ ...refundedTwice, deployment, provider: () => provider }, { transport: () => transport }),
    );
  } finally {
    await transport.close();
    await server.close();
  }
});
