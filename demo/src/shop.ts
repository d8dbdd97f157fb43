import { randomBytes } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { orderState } from './order-state.ts';
import type { Order, Orders } from './orders.ts';
import { readCallback } from './receive-callback.ts';
import * as z from 'zod';
import { cup, products } from './products.ts';
import { createSession, createToken, sessionRequest } from './session-request.ts';
import { createSchedule, passMonth, withoutDay } from './subscriptions.ts';
import {
  fieldsPage,
  homePage,
  orderNews,
  orderPage,
  problemPage,
  unknownOrderPage,
  type Product,
} from './shop-pages.ts';

/** The request of the page with payment fields when the payer pays. */
const paymentSchema = z.object({ token: z.string(), payment: z.looseObject({ browser_info: z.looseObject({}) }) });

/** The demo merchant's shop: makes orders, sends payers to the checkout, takes its callbacks. */
export function createShop(orders: Orders, urls: { readonly shop: string; readonly checkout: string }): Hono {
  const shop = new Hono();
  shop.get('/', (c) => {
    const listed = orders.orders().map((order) => ({ order, state: orderState(orders.callbacks(order.number)) }));
    return page(c, (nonce) => homePage(products, listed, nonce));
  });
  shop.post('/buy', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const product = products.find((each) => each.id === form.get('product')) ?? products[0];
    if (product === undefined) return c.redirect('/', 303);
    const schedule = product.repeats === undefined ? undefined : await createSchedule(urls.checkout);
    if (schedule !== undefined && 'error' in schedule)
      return page(c, (nonce) => problemPage(schedule.error, nonce), 502);
    const order = { ...orderOf(product), ...(schedule && { schedule: schedule.id }) };
    const made = await createSession(urls.checkout, order, sessionRequest(order, product, urls.shop));
    if ('error' in made) return page(c, (nonce) => problemPage(made.error, nonce), 502);
    orders.add(order);
    return c.redirect(made.redirectUrl, 303);
  });
  shop.get('/fields', (c) => page(c, (nonce) => fieldsPage(cup, urls.checkout, nonce), 200, urls.checkout));
  shop.post('/fields/token', async (c) => {
    const order = orderOf(cup);
    const { success_url: return_url, ...request } = sessionRequest(order, cup, urls.shop);
    const answer: unknown = JSON.parse(await createToken(urls.checkout, order, { ...request, return_url }));
    orders.add(order);
    return c.json({ ...Object(answer), number: order.number });
  });
  shop.post('/fields/pay', async (c) => {
    const { token, payment } = paymentSchema.parse(JSON.parse(await c.req.text()));
    const browser_info = { ...payment.browser_info, accept_headers: c.req.header('accept') };
    const reply = await fetch(`${urls.checkout}/api/v1/processing/purchase/card`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', token },
      body: JSON.stringify({ ...payment, browser_info }),
    });
    return c.body(await reply.text(), 200, { 'content-type': 'application/json' });
  });
  shop.get('/orders/:number', (c) => {
    const order = orders.order(c.req.param('number'));
    if (order === undefined) return page(c, unknownOrderPage, 404);
    return page(c, (nonce) => orderPage(order, orders.callbacks(order.number), c.req.query('back'), nonce));
  });
  shop.get('/orders/:number/callbacks', (c) => c.html(orderNews(orders.callbacks(c.req.param('number')))));
  shop.post('/orders/:number/month', async (c) => {
    const order = orders.order(c.req.param('number'));
    if (order?.schedule === undefined) return page(c, unknownOrderPage, 404);
    const error = await passMonth(urls.checkout);
    if (error !== undefined) return page(c, (nonce) => problemPage(error, nonce), 502);
    return c.redirect(`/orders/${encodeURIComponent(order.number)}`, 303);
  });
  shop.post('/callbacks', async (c) => {
    const body = await c.req.text();
    const number = new URLSearchParams(body).get('order_number') ?? '';
    const order = orders.order(number) ?? orders.order(withoutDay(number));
    // An order that this shop did not make: nothing to note, but nothing to repeat either.
    if (order !== undefined) orders.add(readCallback(body, c.req.header(), order, new Date().toISOString()));
    return c.text('OK');
  });
  return shop;
}

const orderOf = ({ amount, currency = 'BRL', title }: Product): Order => ({
  kind: 'order',
  number: `order-${Date.now().toString(36)}-${randomBytes(2).toString('hex')}`,
  amount,
  currency,
  description: title,
  at: new Date().toISOString(),
});

/** @param framed the checkout, whose fields the page has in frames */
function page(
  c: Context,
  render: (nonce: string) => ReturnType<typeof homePage>,
  status: 200 | 404 | 502 = 200,
  framed = "'none'",
) {
  const nonce = randomBytes(16).toString('base64');
  return c.html(render(nonce), status, {
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; frame-src ${framed}; form-action 'self' http: https:; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
  });
}
