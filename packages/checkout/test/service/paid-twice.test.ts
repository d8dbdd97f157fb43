import { acquirerConnector } from '@railyard/connector-card';
import { acquirerSimulation } from '@railyard/connector-card/simulation';
import { bcbConnector as withWithdrawals } from '@railyard/connector-pix';
import { bcbSimulation } from '@railyard/connector-pix/simulation';
import { createSimulator } from '@railyard/simulator';
import type { CheckoutConfig, GivenCatalogue } from '../../src/index.ts';
import { money, settled } from '@railyard/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { applyChange } from '../../src/payments/change/apply.ts';
import { merchantCalls } from '../support/acquirer-service.ts';
import { CARD } from '../support/card-service.ts';
import { lateProxy } from '../support/late-proxy.ts';
import { freePort } from '../support/listen.ts';
import { look, press } from '../support/plain-payer.ts';
import { REAL_PROVIDERS } from '../support/real-provider-configs.ts';
import { callbackSecret, receiver } from '../support/receiver.ts';
import { useDatabase } from '../support/database.ts';
import type { Db } from '../../src/storage/index.ts';
import { createPage, merchant, sessionBody, startOn } from '../support/service.ts';
import { virtualService } from '../support/virtual-service.ts';

const CHARGE = { devedor_documento: '52998224725', devedor_nome: 'Maria Silva' };
const CARDS = { api_key: 'acquirer-key', webhook_secret: 'a-secret-of-the-notifications' };

/** A bank that takes no charge back: a code can be paid beside the card. */
const bcbConnector = {
  ...withWithdrawals,
  serves: withWithdrawals.serves.map(({ method, flows: { withdraw: _withdraw, ...flows } }) => ({ method, flows })),
};

let ahead = 0;
const clock = () => Date.now() + ahead;

/**
 * A deployment with a Pix account, whose codes wait, and a card account; both give money back.
 *
 * @param url of their simulator
 * @param acquirer of a proxy before the simulated acquirer
 */
const configOf = (
  url: string,
  callbackUrl: string,
  own: number,
  paidTwice?: 'ask',
  acquirer = url,
): CheckoutConfig & GivenCatalogue => ({
  publicUrl: `http://127.0.0.1:${own}`,
  port: own,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [bcbConnector, acquirerConnector],
  mids: [
    {
      id: 'bcb',
      connector: bcbConnector.id,
      settings: REAL_PROVIDERS['pix-bcb'].settings(`${url}/${bcbConnector.id}`),
    },
    {
      id: 'cards',
      connector: acquirerConnector.id,
      settings: { base_url: `${acquirer}/${acquirerConnector.id}`, ...CARDS },
    },
  ],
  merchants: [
    {
      ...merchant,
      name: 'Loja Exemplo',
      callbackUrl,
      callbackSecret,
      ...(paidTwice && { paidTwice }),
      methods: [
        { key: 'pix-charge', mid: 'bcb' },
        { key: 'card', mid: 'cards' },
      ],
    },
  ],
});

const simulated = (serviceUrl: string, port: number, now: () => number) =>
  createSimulator({
    connectors: [
      {
        connector: bcbConnector,
        simulation: bcbSimulation,
        settings: bcbConnector.settings.parse(REAL_PROVIDERS['pix-bcb'].settings('http://127.0.0.1:1')),
        notifyUrl: `${serviceUrl}/notify/bcb/pix`,
      },
      {
        connector: acquirerConnector,
        simulation: acquirerSimulation,
        settings: { base_url: 'http://127.0.0.1:1', ...CARDS },
      },
    ],
    port,
    scenario: 'manual',
    clock: now,
  });

/** The running service, its providers and its merchant. */
async function twoWays(paidTwice?: 'ask') {
  const shop = await receiver();
  const port = await freePort();
  const service = await startOn((own) => configOf(`http://127.0.0.1:${port}`, shop.url, own, paidTwice), { clock });
  const simulator = await simulated(service.url, port, clock);
  simulator.setRule({ connector: acquirerConnector.id, scenario: 'settled' });
  return {
    ...service,
    shop,
    simulator,
    async stop() {
      await service.stop();
      await simulator.close();
      await shop.close();
    },
  };
}

type Ways = Awaited<ReturnType<typeof twoWays>>;
let service: Ways;

beforeAll(async () => {
  service = await twoWays();
});
afterAll(() => service.stop());

/** A payer who has a Pix code on the page. */
async function withCode(ways: Pick<Ways, 'url' | 'simulator'> = service) {
  const body = sessionBody({ methods: ['pix-charge', 'card'], parameters: { 'pix-charge': CHARGE } });
  const page = `${ways.url}${new URL(await createPage(ways.url, body)).pathname}`;
  const shown = await press(page, 'pay', { method: 'pix-charge' });
  const code = ways.simulator.payments().at(-1);
  if (code === undefined) throw new Error('The bank has no charge.');
  return { page, number: body.order.number, shown, code };
}

/** The payer goes from the code to the only other method, as the page leads, and pays. */
async function byCard(page: string, card: Readonly<Record<string, string>> = CARD) {
  const form = await look(`${page}?again=1`);
  const beside = /name="beside" value="1"/.test(form.text) ? { beside: '1' } : {};
  return { form, after: await press(page, 'pay', { method: 'card', ...beside, ...card }) };
}

/** The words of every callback of an order, by payment. */
const told = ({ shop }: Ways, number: string) => {
  const words = new Map<string, string[]>();
  for (const { fields } of shop.received)
    if (fields.order_number === number)
      words.set(fields.id ?? '', [
        ...(words.get(fields.id ?? '') ?? []),
        `${fields.type} ${fields.status} ${fields.order_status}`,
      ]);
  return [...words.values()];
};

const until = ({ shop }: Ways, number: string, words: string) =>
  shop.until(
    ({ fields }) =>
      fields.order_number === number && `${fields.type} ${fields.status} ${fields.order_status}` === words,
  );

const givenBack = ({ simulator }: Pick<Ways, 'simulator'>) =>
  simulator.ledger().filter(({ effect }) => ['refund', 'void', 'cancel'].includes(effect));

const SETTLED = 'sale success settled';
const GONE_BACK: ReadonlySet<string> = new Set(['refund success refund', 'void success void']);
const DECLINED = { ...CARD, 'card.expiry': '02 / 38' };

describe('a payer who has a code', () => {
  test('is offered the other methods, reads that a second payment comes back, and pays by card', async () => {
    const { page, number, shown } = await withCode();
    expect(shown.links.get('Use another method')).toMatch(/\?again=1$/);
    const { form, after } = await byCard(page);
    expect(form.said).toContain(
      'is still open. If you pay twice, we will return the second payment to you automatically.',
    );
    expect(form.links.get('Back to Pix')).toBe(new URL(page).pathname);
    expect(after.heading).toBe('Payment complete');
    await until(service, number, 'sale success settled');
  });

  test('sees the code again after a declined card, with the reason, and can pay it', async () => {
    const { page, number, code } = await withCode();
    const { after } = await byCard(page, DECLINED);
    expect(after.heading).toBe('Scan to pay');
    expect(after.said).toContain('declined');
    service.simulator.settle(code.id);
    await until(service, number, 'sale success settled');
    expect((await look(page)).heading).toBe('Payment complete');
  });

  test('cannot cancel the order after a declined card, because the code can still be paid', async () => {
    const { page } = await withCode();
    await byCard(page, DECLINED);
    const left = await press(page, 'cancel', {});
    expect(left.said).not.toContain('Nothing more can be paid here.');
    expect((await look(page)).heading).toBe('Scan to pay');
  });

  test('who pays by card without knowing of the code, from an older page, is not charged', async () => {
    const { page } = await withCode();
    const before = service.simulator.payments().length;
    const seen = await press(page, 'pay', { method: 'card', ...CARD });
    expect(seen.said).toContain('was not charged');
    expect(service.simulator.payments()).toHaveLength(before);
  });
});

describe('money that comes twice', () => {
  test('goes back where the code is paid after the card, and the merchant is told of both payments', async () => {
    const { page, number, code } = await withCode();
    const before = givenBack(service).length;
    await byCard(page);
    await until(service, number, 'sale success settled');
    service.simulator.settle(code.id);
    await until(service, number, 'refund success refund');
    expect(givenBack(service).slice(before)).toMatchObject([
      { connector: 'pix-bcb', effect: 'refund', amount: '10.00' },
    ]);
    expect(told(service, number).toSorted()).toEqual([
      ['sale success settled'],
      ['sale waiting pending', 'sale success settled', 'refund success refund'],
    ]);
    expect((await look(page)).heading).toBe('Payment complete');
    expect(service.lines.some((line) => line.includes('needs-attention'))).toBe(false);
  });

  test('of an order that is paid, a code that ends unpaid is not told as a decline', async () => {
    const { page, number, code } = await withCode();
    await byCard(page);
    await until(service, number, SETTLED);
    service.simulator.decline(code.id);
    await vi.waitFor(() => expect(service.lines.filter((line) => line.includes('"to":"declined"'))).not.toEqual([]));
    expect(
      told(service, number)
        .flat()
        .filter((words) => words.includes('fail')),
    ).toEqual([]);
  });

  test('in the same second keeps one payment of each order and gives the other back, once', async () => {
    const before = givenBack(service).length;
    const cards = () =>
      service.simulator
        .ledger()
        .filter(({ connector, effect }) => connector === acquirerConnector.id && effect === 'settled').length;
    const cardsBefore = cards();
    const shown = [];
    for (let each = 0; each < 12; each += 1) shown.push(await withCode());
    const orders = await Promise.all(
      shown.map(async (order, index) => {
        const form = await look(`${order.page}?again=1`);
        expect(form.text).toContain('name="beside"');
        const card = press(order.page, 'pay', { method: 'card', beside: '1', ...CARD });
        // Of half of the orders the card is charged first; of the others the race decides.
        if (index % 2 === 1) await card;
        service.simulator.settle(order.code.id);
        await card;
        return order;
      }),
    );
    // Where the code was paid before the card was sent, the card is not charged.
    const both = () => orders.filter(({ number }) => told(service, number).length === 2);
    await vi.waitFor(() => expect(both()).toHaveLength(cards() - cardsBefore), 20_000);
    const twice = both();
    expect(twice.length).toBeGreaterThan(0);
    for (const { number, page } of twice) {
      const back = () => told(service, number).filter((words) => words.some((each) => GONE_BACK.has(each)));
      await service.shop.until(() => back().length === 1);
      expect(told(service, number).filter((words) => words.includes(SETTLED))).toHaveLength(2);
      // The order is the payment that keeps its money, whichever was begun first.
      const answer = JSON.stringify(await merchantCalls(service.url).byOrder(number, '1'));
      expect([/"status":"(\w+)"/.exec(answer)?.[1], (await look(page)).heading]).toEqual([
        'settled',
        'Payment complete',
      ]);
    }
    expect(givenBack(service)).toHaveLength(before + twice.length);
  });

  test('is left to the operator where the merchant wants to be asked', async () => {
    const asking = await twoWays('ask');
    try {
      const { page, number, code } = await withCode(asking);
      const { form } = await byCard(page);
      expect(form.said).toContain('Pay only once.');
      await until(asking, number, SETTLED);
      asking.simulator.settle(code.id);
      await asking.shop.until(() => told(asking, number).filter((words) => words.includes(SETTLED)).length === 2);
      await vi.waitFor(() => expect(asking.lines.join('\n')).toContain('Its order is paid twice'));
      expect(givenBack(asking)).toEqual([]);
    } finally {
      await asking.stop();
    }
  });
});

/** A service whose work is done when the test says so, on whose page a payer has a Pix code. No code's payment is notified. */
async function virtualWays(db: Db, proxy?: Awaited<ReturnType<typeof lateProxy>>) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  if (proxy !== undefined) proxy.state.target = url;
  const start = '2026-11-28T12:00:00Z';
  const virtual = await virtualService(
    db,
    (own) => configOf(url, 'http://127.0.0.1:1', own, undefined, proxy?.url),
    start,
  );
  const simulator = await simulated(virtual.url, port, virtual.now);
  simulator.setRule({ connector: acquirerConnector.id, scenario: 'settled' });
  simulator.setRule({ connector: bcbConnector.id, notifications: 'none' });
  const { page, code } = await withCode({ ...virtual, simulator });
  const { stores } = virtual.context;
  const pix = await stores.payments.findByProviderReference('pix-bcb', 'bcb', code.reference);
  if (pix === undefined) throw new Error('The service has no payment by Pix.');
  return {
    ...virtual,
    simulator,
    page,
    pix,
    /** The payer pays the code, and the bank says so. */
    async payCode() {
      simulator.settle(code.id);
      const outcome = settled(code.reference, money('10.00', 'BRL'));
      await applyChange(virtual.context, pix.id, { change: { kind: 'outcome', outcome, via: 'status' } });
    },
    async close() {
      await virtual.close();
      await simulator.close();
    },
  };
}

describe('a payer who has a code, on a clock of their own', () => {
  const database = useDatabase();

  test('whose money came twice before the process died gets one back by reconciliation, once', async () => {
    const ways = await virtualWays(database.db);
    try {
      await byCard(ways.page);
      await ways.payCode();
      // What a process leaves that is killed before it has planned the way back.
      await database.db.updateTable('payments').set({ pollAt: null }).where('id', '=', ways.pix.id).execute();
      await ways.work();
      await ways.work();
      expect(givenBack(ways)).toMatchObject([{ connector: 'pix-bcb', effect: 'refund', amount: '10.00' }]);
      expect((await ways.find(ways.pix.id)).state).toBe('refunded');
    } finally {
      await ways.close();
    }
  });

  test('and pays it while a card that was turned away with 429 waits for its next try is not charged by card', async () => {
    const proxy = await lateProxy();
    const ways = await virtualWays(database.db, proxy);
    let asked = 0;
    proxy.state.turnsAway = (method, path) => {
      if (method !== 'POST' || !path.endsWith('/v1/sales')) return undefined;
      asked += 1;
      return asked > 1 ? undefined : { status: 429, headers: { 'retry-after': '4' }, body: { code: 'slow_down' } };
    };
    try {
      expect((await byCard(ways.page)).after.said).toContain('Checking your payment');
      await ways.payCode();
      ways.jump(120_000);
      await ways.pass(3_600_000);
      expect(asked).toBe(1);
      expect(
        (await ways.context.stores.payments.ofSession(ways.pix.sessionId ?? '')).map(({ state }) => state),
      ).toEqual(['declined', 'settled']);
      expect(givenBack(ways)).toEqual([]);
    } finally {
      await ways.close();
      await proxy.close();
    }
  });
});
