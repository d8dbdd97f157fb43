import { btcpaySimulation } from '@railyard/connector-crypto/simulation';
import type { SimulatedEndpoint, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bitcoinOut, btcpayService, inEuro, METHOD } from '../support/btcpay-service.ts';
import { sendCommand } from '../support/commands.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { createPage, pressPay } from '../support/service.ts';

/** How far the clock is ahead. A hint is followed by a lookup a moment later, so the clock runs. */
let ahead = 0;
const clock = () => Date.now() + ahead;
let store: Awaited<ReturnType<typeof btcpayService>>;
let merchant: ReturnType<typeof merchantActs>;

beforeAll(async () => {
  store = await btcpayService({ clock });
  merchant = merchantActs(store.url);
});
beforeEach(() => store.simulator.setRule({ connector: METHOD, scenario: 'manual', notifications: 'once' }));
afterAll(() => store.stop());

async function begun() {
  const body = inEuro();
  const page = await createPage(store.url, body);
  expect((await pressPay(page, { method: METHOD })).status).toBe(303);
  const held = store.simulator.payments().at(-1);
  if (held === undefined) throw new Error('The server has no invoice.');
  return { number: body.order.number, page, held };
}

const until = (number: string, words: string) =>
  store.shop.until(
    ({ fields }) =>
      fields.order_number === number && `${fields.type} ${fields.status} ${fields.order_status}` === words,
  );
const shown = async (page: string) => (await fetch(page)).text();

describe('an invoice of a BTCPay Server', () => {
  test('shows its address and the coins, and settles by a signed webhook, once the server was asked', async () => {
    const { number, page, held } = await begun();
    const text = await shown(page);
    expect(text).toContain('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa');
    expect(text).toContain('0.0001');
    store.simulator.settle(held.id);
    const { fields } = await until(number, 'sale success settled');
    expect(await merchant.status(fields.id ?? '')).toBe('settled');
    await store.simulator.idle();
    expect(store.simulator.deliveries().at(-1)).toMatchObject({ url: `${store.url}/notify/store`, result: 200 });
  });

  test('settles by lookups alone where no webhook comes', async () => {
    store.simulator.setRule({ connector: METHOD, notifications: 'none' });
    const { number, held } = await begun();
    store.simulator.settle(held.id);
    ahead += 300_000;
    await until(number, 'sale success settled');
  });

  test('that is not paid in time is declined', async () => {
    const { number, held } = await begun();
    store.simulator.decline(held.id);
    ahead += 300_000;
    await until(number, 'sale fail decline');
  });

  test('is given back by a link, and refunded once the payer has claimed it', async () => {
    const { number, held } = await begun();
    store.simulator.settle(held.id);
    const { fields } = await until(number, 'sale success settled');
    await merchant.refund(fields.id ?? '', '10.00');
    ahead += 7_200_000;
    await until(number, 'refund success refund');
    expect(store.simulator.modifications().map(({ amount, state }) => [amount, state])).toEqual([['10.00', 'settled']]);
  });
});

test('less than the price, told while the invoice is processed, settles once the server says that it is enough', async () => {
  const short = await btcpayService({ clock }, withinTolerance());
  try {
    short.simulator.setRule({ connector: METHOD, scenario: 'manual', notifications: 'once' });
    const page = await createPage(short.url, inEuro());
    await pressPay(page, { method: METHOD });
    ahead += 300_000;
    await short.shop.until(({ fields }) => fields.type !== 'init');
    expect(await shown(page)).toMatch(/Received so far: EUR\s9.95 of EUR\s10.00/);
    short.simulator.settle(short.simulator.payments().at(-1)?.id ?? '');
    const { fields } = await short.shop.until(({ fields: { type, status } }) => `${type} ${status}` === 'sale success');
    expect(fields.order_status).toBe('settled');
  } finally {
    await short.stop();
  }
});

type Fields = Readonly<Record<string, unknown>>;

/** A store whose owner takes half of a hundredth less: the coins are there from the beginning, and the invoice's word comes later. */
function withinTolerance(): Simulation {
  const { endpoints } = btcpaySimulation;
  const also = (name: string, changed: (payment: SimulatedPayment, before: Fields) => Fields): SimulatedEndpoint => {
    const endpoint = endpoints[name];
    if (endpoint === undefined) throw new Error(`The simulation has no ${name}.`);
    return {
      ...endpoint,
      compute: (payment, modification) => changed(payment, endpoint.compute?.(payment, modification) ?? {}),
    };
  };
  const coins = { id: 'coins-0', value: '0.0000995', fee: '0', status: 'Settled', destination: 'an-address' };
  const paid = (_payment: SimulatedPayment, before: Fields) => {
    return { '0': { ...Object(before['0']), payments: [coins] } };
  };
  return {
    ...btcpaySimulation,
    endpoints: {
      ...endpoints,
      'get-invoice': also('get-invoice', ({ status }, before) => ({
        ...before,
        status: status === 'New' ? 'Processing' : status,
      })),
      // One address of the server, asked for two reasons.
      'get-address': also('get-address', paid),
      'get-payments': also('get-payments', paid),
    },
  };
}

test('a payout of bitcoin by command settles by its webhook', async () => {
  await sendCommand(store.url, bitcoinOut('out-1'));
  const held = store.simulator.payments().at(-1);
  expect(held).toMatchObject({ effect: 'payout', amount: '0.25000000', currency: 'BTC' });
  store.simulator.settle(held?.id ?? '');
  const { fields } = await store.shop.until(
    (each) => each.fields.order_id === 'out-1' && each.fields.status === 'SETTLED',
  );
  expect(fields.result).toBe('SUCCESS');
});
