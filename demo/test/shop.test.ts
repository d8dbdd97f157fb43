import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { merchant } from '../src/merchant.ts';
import { openOrders } from '../src/orders.ts';
import { sampleOrder } from '../src/sample-order.ts';
import { createShop } from '../src/shop.ts';

/** A shop that knows one sample order, without a checkout. */
function openShop() {
  const folder = mkdtempSync(join(tmpdir(), 'railyard-shop-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const orders = openOrders(join(folder, 'shop.jsonl'));
  const sample = sampleOrder(Date.parse('2026-11-21T12:00:00Z'));
  orders.add(sample);
  const shop = createShop(orders, { shop: 'http://127.0.0.1:1', checkout: 'http://127.0.0.1:2' });
  const tell = (status: string, orderStatus: string, secret: string = merchant.callbackSecret) => {
    const body = new URLSearchParams({
      id: 'p-1',
      order_number: sample.number,
      type: 'sale',
      status,
      order_status: orderStatus,
    }).toString();
    const now = new Date();
    return shop.request('/callbacks', {
      method: 'POST',
      body,
      headers: {
        'webhook-id': 'c-1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('c-1', now, body),
      },
    });
  };
  const text = async (path: string) => (await shop.request(path)).text();
  return { shop, tell, text, number: sample.number, page: `/orders/${sample.number}` };
}

describe('the shop', () => {
  test('shows the order of the printed request, and lists it once a callback came', async () => {
    const { shop, tell, text, number, page } = openShop();
    expect((await shop.request(page)).status).toBe(200);
    expect(await text(page)).toContain('<strong>no news yet</strong>');
    expect(await text('/')).not.toContain(number);
    await tell('success', 'settled');
    expect(await text('/')).toMatch(new RegExp(`${number}.*paid`));
    expect(await text(page)).toContain('<td>settled</td>');
  });

  test.for([
    { status: 'success', order: 'settled', word: 'paid' },
    { status: 'success', order: 'pending', word: 'waiting' },
    { status: 'waiting', order: 'prepare', word: 'waiting' },
    { status: 'waiting', order: 'pending', word: 'waiting' },
    { status: 'fail', order: 'decline', word: 'declined' },
    { status: 'undefined', order: 'prepare', word: 'being checked' },
  ])('calls an order $word after $status, $order', async ({ status, order, word }) => {
    const { tell, text, page } = openShop();
    await tell(status, order);
    expect(await text(`${page}/callbacks`)).toContain(`<strong>${word}</strong>`);
  });

  test('goes by the last callback whose signature is right', async () => {
    const { tell, text, page } = openShop();
    await tell('waiting', 'pending');
    await tell('success', 'settled', 'whsec_c29tZWJvZHkgZWxzZSBhbHRvZ2V0aGVyLCBhIGd1ZXNz');
    expect(await text(page)).toContain('<strong>waiting</strong>');
    await tell('fail', 'decline');
    expect(await text(page)).toContain('<strong>declined</strong>');
  });

  test('answers an unknown order with a page that leads home', async () => {
    const { shop } = openShop();
    const reply = await shop.request('/orders/none');
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toContain('text/html');
    const html = await reply.text();
    expect(html).toContain('There is no such order');
    expect(html).toContain('<a href="/">');
  });

  test('says which document can be tried', async () => {
    expect(await openShop().text('/')).toContain('A test CPF: 529.982.247-25');
  });
});
