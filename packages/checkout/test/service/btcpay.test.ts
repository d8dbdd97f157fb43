import { btcpaySimulation } from '@railyard/connector-crypto/simulation';
import type { SimulatedEndpoint, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendCommand } from '../support/commands.ts';
import { bitcoinOut, inEuro, realService, type RealService, shown } from '../support/real-providers.ts';
import { createPage, pressPay } from '../support/service.ts';

/** How far the clock is ahead. A hint is followed by a lookup a moment later, so the clock runs. */
let ahead = 0;
const clock = () => Date.now() + ahead;
const METHOD = 'bitcoin-btcpay';
let store: RealService;

beforeAll(async () => {
  store = await realService('btcpay', { clock });
});
beforeEach(() => store.simulator.setRule({ connector: METHOD, scenario: 'manual', notifications: 'once' }));
afterAll(() => store.stop());

test('less than the price, told while the invoice is processed, settles once the server says that it is enough', async () => {
  const short = await realService('btcpay', { clock }, { simulation: withinTolerance() });
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
