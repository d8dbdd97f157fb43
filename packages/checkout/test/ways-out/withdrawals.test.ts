import type { Connector } from '@railyard/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cardConnector } from '../support/card-connector.ts';
import { cardProvider } from '../support/card-provider.ts';
import { CARD } from '../support/card-service.ts';
import { freePort } from '../support/listen.ts';
import { look, press } from '../support/plain-payer.ts';
import { realConfig, type RealName } from '../support/real-provider-configs.ts';
import { inEuro, inPesos, inReais, simulated } from '../support/real-providers.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, startOn, type sessionBody } from '../support/service.ts';

type Body = ReturnType<typeof sessionBody>;

/** A shop that sells by card and by a provider that gives its payers something to pay, the service and both providers. */
async function shopWith(name: RealName, maxDeclines = 3, change = (connector: Connector): Connector => connector) {
  const callbacks = await receiver();
  const card = await cardProvider();
  const port = await freePort();
  const service = await startOn((own) => {
    const base = realConfig(name, `http://127.0.0.1:${port}/${connectorIdOf(name)}`, callbacks.url, own);
    const [merchant] = base.merchants;
    if (merchant === undefined) throw new Error('There is no merchant.');
    return {
      ...base,
      connectors: [...base.connectors.map(change), cardConnector],
      mids: [...base.mids, { id: 'cards', connector: cardConnector.id, settings: { base_url: card.url } }],
      merchants: [{ ...merchant, maxDeclines, methods: [...merchant.methods, { key: 'card', mid: 'cards' }] }],
    };
  });
  const simulator = await simulated(name, service.url, { port });
  return {
    ...service,
    card,
    callbacks,
    simulator,
    async stop() {
      await service.stop();
      await simulator.close();
      await card.close();
      await callbacks.close();
    },
  };
}

const connectorIdOf = (name: RealName): string => realConfig(name, 'http://127.0.0.1:1', '', 1).connectors[0]?.id ?? '';

describe.each([
  { name: 'pix-bcb', method: 'pix-charge', body: inReais, heading: 'Scan to pay' },
  { name: 'btcpay', method: 'bitcoin-btcpay', body: inEuro, heading: 'Send BTC to this address' },
  { name: 'conekta', method: 'cash-voucher', body: () => inPesos('cash-voucher'), heading: 'Your payment slip' },
] as const)('a payer who has a payment of $name', ({ name, method, body, heading }) => {
  let shop: Awaited<ReturnType<typeof shopWith>>;
  beforeAll(async () => {
    shop = await shopWith(name);
  });
  afterAll(() => shop.stop());

  /** A payer with a code, an address or a slip, and the payment at its provider. */
  async function waiting() {
    const order: Body = { ...body(), methods: [method, 'card'] };
    const page = await createPage(shop.url, order);
    expect((await press(page, 'pay', { method })).heading).toBe(heading);
    const atProvider = shop.simulator.payments().at(-1);
    if (atProvider === undefined) throw new Error('The provider has no payment.');
    const words = () =>
      shop.callbacks.received
        .filter(({ fields }) => fields.order_number === order.order.number)
        .map(({ fields }) => `${fields.status} ${fields.order_status}`);
    const stateOf = () => shop.simulator.payments().find(({ id }) => id === atProvider.id)?.state;
    return { page, number: order.order.number, id: atProvider.id, words, stateOf };
  }

  test('and pays by card is charged by card alone: the provider has taken the other back', async () => {
    const { page, words, stateOf } = await waiting();
    expect((await look(`${page}?again=1`)).said).toContain('We will cancel it once you pay another way');
    const paid = await press(page, 'pay', { method: 'card', beside: '1', ...CARD });
    expect(paid.heading).toBe('Payment complete');
    expect(stateOf()).toBe('withdrawn');
    await vi.waitFor(() => expect(words()).toContain('success settled'));
    expect(words()).toContain('fail decline');
    expect((await look(page)).heading).toBe('Payment complete');
  });

  test('and paid it a moment before the card is sent is not charged by card', async () => {
    const { page, id, words } = await waiting();
    const before = shop.card.asked.length;
    shop.simulator.setRule({ connector: connectorIdOf(name), scenario: 'manual', notifications: 'none' });
    shop.simulator.settle(id);
    await press(page, 'pay', { method: 'card', beside: '1', ...CARD });
    await vi.waitFor(async () => expect((await look(page)).heading).toBe('Payment complete'), 20_000);
    expect(shop.card.asked).toHaveLength(before);
    await vi.waitFor(() => expect(words()).toContain('success settled'));
    expect(words()).not.toContain('fail decline');
  });

  test('and mistypes the card keeps what they have', async () => {
    const { page, stateOf } = await waiting();
    await press(page, 'pay', { method: 'card', beside: '1', ...CARD, 'card.number': '4111 1111 1111 1112' });
    expect(stateOf()).toBe('pending');
  });

  test('and goes back to the shop leaves nothing that can be paid', async () => {
    const { page, stateOf } = await waiting();
    await press(page, 'cancel');
    expect(stateOf()).toBe('withdrawn');
    expect((await look(page)).forms).not.toContain('pay');
  });
});

/** A payer in such a shop who has a Pix code and pays by card. */
async function paidByCard(shop: Awaited<ReturnType<typeof shopWith>>) {
  const page = await createPage(shop.url, { ...inReais(), methods: ['pix-charge', 'card'] });
  await press(page, 'pay', { method: 'pix-charge' });
  const seen = await press(page, 'pay', { method: 'card', beside: '1', ...CARD });
  return { page, seen, charge: shop.simulator.payments().at(-1) };
}

test('a payer whose merchant allows one attempt pays by card after a code that was taken back', async () => {
  const shop = await shopWith('pix-bcb', 1);
  const { seen, charge } = await paidByCard(shop);
  expect([seen.heading, charge?.state]).toEqual(['Payment complete', 'withdrawn']);
  await shop.stop();
});

test('a fault of the connector while it takes a code back declines nothing: the code can still be paid', async () => {
  const broken = ({ serves, ...connector }: Connector): Connector => ({
    ...connector,
    serves: serves.map(({ method, flows }) => ({
      method,
      flows: {
        ...flows,
        withdraw: () => {
          throw new Error('It cannot be read.');
        },
      },
    })),
  });
  const shop = await shopWith('pix-bcb', 3, broken);
  const { seen, charge } = await paidByCard(shop);
  expect([seen.heading, charge?.state]).toEqual(['Payment complete', 'pending']);
  expect(shop.callbacks.received.map(({ fields }) => fields.order_status)).not.toContain('decline');
  expect(shop.lines.some((line) => line.includes('"not-withdrawn"'))).toBe(true);
  await shop.stop();
});
