import { kyTransport, type Transport } from '@railyard/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendCommand } from '../support/commands.ts';
import { inCedis, realService, type RealService, shown, wages } from '../support/real-providers.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

const METHOD = 'mobile-money-paystack';
let ghana: RealService;

beforeAll(async () => {
  // A refund is looked up, so the clock runs.
  ghana = await realService('paystack', { clock: () => Date.now() });
});
beforeEach(() => ghana.simulator.setRule({ connector: METHOD, scenario: 'manual', notifications: 'once' }));
afterAll(() => ghana.stop());

test.each([
  ['GHS', ['mtn', 'atl', 'vod']],
  ['KES', ['mpesa']],
])('the payer of an order in %s is offered the networks of its country alone', async (currency, networks) => {
  const page = await createPage(ghana.url, sessionBody({ methods: [METHOD] }, { currency, amount: '120.00' }));
  const [, list = ''] = (await shown(page)).split(`name="parameters.${METHOD}.network"`);
  const options = list.slice(0, list.indexOf('</select>')).matchAll(/<option\s[^>]*value="([^"]+)"/g);
  expect([...options].map(([, value]) => value)).toEqual(networks);
});

test('a charge whose network asks for a code is settled once the payer has entered it', async () => {
  const body = inCedis('vod');
  const page = await createPage(ghana.url, body);
  expect((await pressPay(page, { method: METHOD })).status).toBe(303);
  expect(await shown(page)).toContain('name="code"');
  const code = new URLSearchParams({ step: 'code', code: '123456' });
  const entered = await fetch(`${page}/answer`, { method: 'POST', body: code, redirect: 'manual' });
  expect(entered.status).toBe(303);
  await ghana.reported(body.order.number, 'sale success settled');
});

test('a charge whose code Paystack is too busy to take is settled with that code later', async () => {
  let ahead = 0;
  let turnedAway = 0;
  const http = kyTransport();
  const busy = { kind: 'reply', status: 429, headers: { 'retry-after': '60' }, body: '{}' } as const;
  const transport: Transport = {
    send(request) {
      if (!request.url.includes('/submit_otp') || turnedAway > 0) return http.send(request);
      turnedAway += 1;
      return Promise.resolve(busy);
    },
  };
  const accra = await realService('paystack', { clock: () => Date.now() + ahead, transport });
  accra.simulator.setRule({ connector: METHOD, scenario: 'manual', notifications: 'none' });
  const order = inCedis('vod');
  const page = await createPage(accra.url, order);
  await pressPay(page, { method: METHOD });
  const code = new URLSearchParams({ step: 'code', code: '123456' });
  await fetch(`${page}/answer`, { method: 'POST', body: code, redirect: 'manual' });
  expect(turnedAway).toBe(1);
  ahead += 300_000;
  await accra.reported(order.order.number, 'sale success settled');
  await accra.stop();
  await http.close();
});

test('a charge whose webhook does not come is settled by a lookup, also where the key may not list refunds', async () => {
  let ahead = 0;
  const http = kyTransport();
  const body = JSON.stringify({ status: false, message: 'This key may not read refunds.' });
  const refused = { kind: 'reply', status: 403, headers: { 'content-type': 'application/json' }, body } as const;
  const transport: Transport = {
    send: (request) => (request.url.includes('/refund') ? Promise.resolve(refused) : http.send(request)),
  };
  const kumasi = await realService('paystack', { clock: () => Date.now() + ahead, transport });
  kumasi.simulator.setRule({ connector: METHOD, scenario: 'manual', notifications: 'none' });
  const order = inCedis('mtn');
  await pressPay(await createPage(kumasi.url, order), { method: METHOD });
  kumasi.simulator.settle(kumasi.simulator.payments().at(-1)?.id ?? '');
  ahead = 300_000;
  await kumasi.reported(order.order.number, 'sale success settled');
  await kumasi.stop();
  await http.close();
});

describe('a transfer of Paystack', () => {
  test('pays out to a wallet by command, and settles by its webhook', async () => {
    const { json } = await sendCommand(ghana.url, wages('wages-1'));
    expect(json).toMatchObject({ result: expect.stringMatching(/^(?:SUCCESS|UNDEFINED|ACCEPTED)$/) });
    const held = ghana.simulator.payments().at(-1);
    expect(held).toMatchObject({ effect: 'payout', amount: '10.00', currency: 'GHS' });
    ghana.simulator.settle(held?.id ?? '');
    const { fields } = await ghana.shop.until(
      ({ fields }) => fields.order_id === 'wages-1' && fields.status === 'SETTLED',
    );
    expect(fields.result).toBe('SUCCESS');
  });
});
