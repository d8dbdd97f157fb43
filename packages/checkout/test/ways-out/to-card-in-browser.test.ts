import { acquirerConnector } from '@railyard/connector-card';
import { acquirerSimulation } from '@railyard/connector-card/simulation';
import { createSimulator } from '@railyard/simulator';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { pay, typeCard } from '../support/card-browser.ts';
import { freePort } from '../support/listen.ts';
import { realConfig, type RealName, realProvider } from '../support/real-provider-configs.ts';
import { inEuro, inPesos, inReais, inShillings, played } from '../support/real-providers.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, sessionBody, startOn } from '../support/service.ts';
import { serviceBrowser } from '../support/service-browser.ts';

const CARDS = { api_key: 'acquirer-key', webhook_secret: 'a-secret-of-the-notifications' };

/** A shop that sells by a real provider and by card. Both are played by one simulator, so that its ledger has every charge of an order. */
async function shopWith(name: RealName) {
  const callbacks = await receiver();
  const port = await freePort();
  let ahead = 0;
  const clock = () => Date.now() + ahead;
  const service = await startOn(
    (own) => {
      const base = realConfig(name, `http://127.0.0.1:${port}/${realProvider(name).connector.id}`, callbacks.url, own);
      const settings = { base_url: `http://127.0.0.1:${port}/${acquirerConnector.id}`, ...CARDS };
      return {
        ...base,
        connectors: [...base.connectors, acquirerConnector],
        mids: [...base.mids, { id: 'cards', connector: acquirerConnector.id, settings }],
        merchants: base.merchants.map((merchant) => ({
          ...merchant,
          methods: [...merchant.methods, { key: 'card', mid: 'cards' }],
        })),
      };
    },
    { clock },
  );
  const acquirer = {
    connector: acquirerConnector,
    simulation: acquirerSimulation,
    settings: { base_url: 'http://127.0.0.1:1', ...CARDS },
  };
  const simulator = await createSimulator({
    connectors: [played(name, service.url), acquirer],
    port,
    scenario: 'manual',
    clock,
  });
  simulator.setRule({ connector: acquirerConnector.id, scenario: 'settled' });
  return {
    ...service,
    callbacks,
    simulator,
    /** Time passes: what is looked up later is looked up now. */
    pass: (ms: number) => {
      ahead += ms;
    },
    async stop() {
      await service.stop();
      await simulator.close();
      await callbacks.close();
    },
  };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
const another = (page: Page) => page.getByRole('link', { name: 'Use another method' }).click();

interface Way {
  readonly name: RealName;
  readonly method: string;
  readonly body: () => ReturnType<typeof sessionBody>;
  /** The payer has a payment that waits. */
  readonly waits: (page: Page) => Promise<unknown>;
  /** The payer goes to the other methods. */
  readonly leave: (page: Page) => Promise<unknown>;
}

const WAYS: readonly Way[] = [
  {
    name: 'pix-bcb',
    method: 'pix-charge',
    body: inReais,
    waits: (page) => heading(page, 'Scan to pay'),
    leave: another,
  },
  {
    name: 'btcpay',
    method: 'bitcoin-btcpay',
    body: inEuro,
    waits: (page) => heading(page, 'Send BTC to this address'),
    leave: another,
  },
  {
    name: 'paypal',
    method: 'redirect',
    body: () => sessionBody({}, { currency: 'USD' }),
    waits: (page) => page.waitForURL((url) => url.searchParams.has('payment')),
    async leave(page) {
      await page.goBack();
      await page.getByRole('button', { name: 'Start again or use another method' }).click();
    },
  },
  {
    name: 'gsma',
    method: 'mobile-money-gsma',
    body: inShillings,
    waits: (page) => heading(page, 'Check your phone'),
    leave: another,
  },
  {
    name: 'conekta',
    method: 'cash-voucher',
    body: () => inPesos('cash-voucher'),
    waits: (page) => heading(page, 'Your payment slip'),
    leave: another,
  },
];

describe.each(WAYS)('a payer who has a payment of $name', ({ name, method, body, waits, leave }) => {
  const open = serviceBrowser(() => shopWith(name));

  test.for([false, true])(
    'pays by card and is charged once, also where the other is paid in that moment: %s',
    async (both, ctx) => {
      const { page, service, complaints } = await open(ctx);
      page.setDefaultTimeout(20_000);
      const { simulator } = service;
      simulator.setRule({ connector: realProvider(name).connector.id, scenario: 'manual', notifications: 'none' });
      const order = { ...body(), methods: [method, 'card'] };
      const before = simulator.ledger().length;
      await page.goto(`${await createPage(service.url, order)}?method=${method}`);
      await pay(page);
      await waits(page);
      await leave(page);
      // The form of the only other method stands there at once, unless the payer has left the first one.
      const card = page.getByRole('link', { name: 'Card', exact: true });
      const number = page.getByLabel('Card number');
      await card.or(number).first().waitFor();
      if ((await number.count()) === 0) await card.click();
      await typeCard(page);
      const first = simulator.payments().at(-1);
      if (first === undefined) throw new Error(`${name} has no payment.`);
      // The payer pays there in the moment in which they press the button here.
      if (both) simulator.settle(first.id);
      await pay(page);
      await heading(page, 'Payment complete');
      // Money that was taken twice has gone back by then.
      const taken = () => {
        service.pass(60_000);
        const moved = simulator.ledger().slice(before);
        const count = (effect: string) => moved.filter((each) => each.effect === effect).length;
        return count('settled') + count('capture') - count('refund');
      };
      await expect.poll(taken, { timeout: 60_000 }).toBe(1);
      if (!both) expect(simulator.ledger().at(-1)).toMatchObject({ connector: acquirerConnector.id });
      expect(complaints).toEqual([]);
    },
  );
});
