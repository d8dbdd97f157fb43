import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendCommand } from '../support/commands.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { inCedis, METHOD, paystackService, wages } from '../support/paystack-service.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

/** How far the clock is ahead. A refund is looked up, so the clock runs. */
let ahead = 0;
const clock = () => Date.now() + ahead;
let ghana: Awaited<ReturnType<typeof paystackService>>;
let merchant: ReturnType<typeof merchantActs>;

beforeAll(async () => {
  ghana = await paystackService({ clock });
  merchant = merchantActs(ghana.url);
});
beforeEach(() => ghana.simulator.setRule({ connector: METHOD, scenario: 'manual', notifications: 'once' }));
afterAll(() => ghana.stop());

async function begun(network: 'mtn' | 'vod') {
  const body = inCedis(network);
  const page = await createPage(ghana.url, body);
  expect((await pressPay(page, { method: METHOD })).status).toBe(303);
  const held = ghana.simulator.payments().at(-1);
  if (held === undefined) throw new Error('Paystack has no charge.');
  return { number: body.order.number, page, held };
}

const until = (number: string, words: string) =>
  ghana.shop.until(
    ({ fields }) =>
      fields.order_number === number && `${fields.type} ${fields.status} ${fields.order_status}` === words,
  );
const shown = async (page: string) => (await fetch(page)).text();
const enter = (page: string, code: string) =>
  fetch(`${page}/answer`, { method: 'POST', body: new URLSearchParams({ step: 'code', code }), redirect: 'manual' });

test.each([
  ['GHS', ['mtn', 'atl', 'vod']],
  ['KES', ['mpesa']],
])('the payer of an order in %s is offered the networks of its country alone', async (currency, networks) => {
  const page = await createPage(ghana.url, sessionBody({ methods: [METHOD] }, { currency, amount: '120.00' }));
  const [, list = ''] = (await shown(page)).split(`name="parameters.${METHOD}.network"`);
  const options = list.slice(0, list.indexOf('</select>')).matchAll(/<option\s[^>]*value="([^"]+)"/g);
  expect([...options].map(([, value]) => value)).toEqual(networks);
});

describe('a charge at Paystack', () => {
  test('is shown in Paystack’s own words, and settles by its signed webhook', async () => {
    const { number, page, held } = await begun('mtn');
    expect(await shown(page)).toContain('+233 •••••-4987');
    ghana.simulator.settle(held.id);
    const { fields } = await until(number, 'sale success settled');
    expect(await merchant.status(fields.id ?? '')).toBe('settled');
    await ghana.simulator.idle();
    expect(ghana.simulator.deliveries().at(-1)).toMatchObject({ url: `${ghana.url}/notify/ghana`, result: 200 });
  });

  test('asks for a code, and settles', async () => {
    const { number, page } = await begun('vod');
    expect(await shown(page)).toContain('name="code"');
    expect((await enter(page, '123456')).status).toBe(303);
    await until(number, 'sale success settled');
  });

  test('settles by lookups alone where no webhook comes', async () => {
    ghana.simulator.setRule({ connector: METHOD, notifications: 'none' });
    const { number, held } = await begun('mtn');
    ghana.simulator.settle(held.id);
    ahead += 300_000;
    await until(number, 'sale success settled');
  });

  test('is not settled by a webhook that is signed with another key', async () => {
    const { page, held } = await begun('mtn');
    const data = { id: 1, reference: held.reference, status: 'success', amount: 1000, currency: 'GHS' };
    const reply = await fetch(`${ghana.url}/notify/ghana`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-paystack-signature': 'f'.repeat(128) },
      body: JSON.stringify({ event: 'charge.success', data }),
    });
    expect(reply.status).toBe(401);
    expect(await shown(page)).toContain('+233 •••••-4987');
  });

  test('is declined where the payer does not confirm', async () => {
    const { number, held } = await begun('mtn');
    ghana.simulator.decline(held.id);
    ahead += 300_000;
    await until(number, 'sale fail decline');
  });

  test('is given back in parts, which are looked up', async () => {
    const { number, held } = await begun('mtn');
    ghana.simulator.settle(held.id);
    const { fields } = await until(number, 'sale success settled');
    await merchant.refund(fields.id ?? '', '4.00');
    ahead += 7_200_000;
    await until(number, 'refund success settled');
    expect(ghana.simulator.modifications().map(({ amount, state }) => [amount, state])).toEqual([['4.00', 'settled']]);
  });
});

test('what the merchant gives back in Paystack’s dashboard is told like a refund of ours, once', async () => {
  const { number, held } = await begun('mtn');
  ghana.simulator.settle(held.id);
  await until(number, 'sale success settled');
  ghana.simulator.giveBack(held.id, '4.00');
  const { fields } = await until(number, 'refund success settled');
  expect(fields.refund_amount).toBe('4.00');
  ghana.simulator.giveBack(held.id);
  await until(number, 'refund success refund');
  expect(ghana.shop.received.filter(({ fields: each }) => each.order_number === number)).toHaveLength(4);
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
