import { randomBytes } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { orderState } from './order-state.ts';
import type { Orders } from './orders.ts';
import { readCallback } from './receive-callback.ts';
import { createSession, sessionRequest } from './session-request.ts';
import { homePage, orderNews, orderPage, problemPage, type Product, unknownOrderPage } from './shop-pages.ts';

const products: readonly Product[] = [
  {
    id: 'beans',
    title: 'Coffee beans, 250 g',
    amount: '10.00',
    operation: 'purchase',
    methods: ['pix'],
    action: 'Pay with Pix',
  },
  {
    id: 'filters',
    title: 'Coffee filters',
    amount: '4.50',
    operation: 'purchase',
    methods: ['pix-charge'],
    action: 'Pay with Pix at any bank',
    hint: 'By the API Pix of the Banco Central do Brasil, which the simulator plays here.',
  },
  {
    id: 'calendar',
    title: 'Calendar',
    amount: '120.00',
    currency: 'MXN',
    operation: 'purchase',
    methods: ['cash-voucher'],
    action: 'Pay in cash at a shop',
    hint: 'In Mexico, by Conekta, which the simulator plays here.',
  },
  {
    id: 'basket',
    title: 'Basket',
    amount: '900.00',
    currency: 'KES',
    operation: 'purchase',
    methods: ['mobile-money-gsma'],
    action: 'Pay by mobile money',
    hint: 'By the GSMA Mobile Money API, which the simulator plays here. A number: +254 712 345 678',
  },
  {
    id: 'smock',
    title: 'Smock',
    amount: '250.00',
    currency: 'GHS',
    operation: 'purchase',
    methods: ['mobile-money-paystack'],
    action: 'Pay by mobile money in Ghana',
    hint: 'By Paystack, which the simulator plays here. A number: +233 551 234 987. Vodafone asks for a code: any six digits.',
  },
  {
    id: 'poster',
    title: 'Poster',
    amount: '40.00',
    currency: 'EUR',
    operation: 'purchase',
    methods: ['bitcoin-btcpay'],
    action: 'Pay in bitcoin',
    hint: 'By BTCPay Server, which the simulator plays here. Send nothing to the address that it shows.',
  },
  {
    id: 'mug',
    title: 'Mug',
    amount: '35.90',
    operation: 'purchase',
    methods: ['pix-document'],
    action: 'Pay with Pix, document asked',
    hint: 'A test CPF: 529.982.247-25',
  },
  {
    id: 'kettle',
    title: 'Kettle',
    amount: '89.00',
    operation: 'purchase',
    methods: ['card'],
    action: 'Pay by card',
    hint: 'Test card 4111 1111 1111 1111, any code. Expiry 01/38 pays, 02/38 is declined, 05/38 asks for 3-D Secure.',
  },
  {
    id: 'grinder',
    title: 'Hand grinder',
    amount: '149.00',
    operation: 'purchase',
    methods: [],
    action: 'Choose how to pay',
  },
  {
    id: 'refund',
    title: 'Deposit paid back',
    amount: '5.00',
    operation: 'credit',
    methods: ['pix'],
    action: 'Pay out by Pix',
  },
];

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
    const order = {
      kind: 'order' as const,
      number: `order-${Date.now().toString(36)}-${randomBytes(2).toString('hex')}`,
      amount: product.amount,
      currency: product.currency ?? 'BRL',
      description: product.title,
      at: new Date().toISOString(),
    };
    const made = await createSession(
      urls.checkout,
      sessionRequest(order, product.operation, product.methods, urls.shop),
    );
    if ('error' in made) return page(c, (nonce) => problemPage(made.error, nonce), 502);
    orders.add(order);
    return c.redirect(made.redirectUrl, 303);
  });
  shop.get('/orders/:number', (c) => {
    const order = orders.order(c.req.param('number'));
    if (order === undefined) return page(c, unknownOrderPage, 404);
    return page(c, (nonce) => orderPage(order, orders.callbacks(order.number), c.req.query('back'), nonce));
  });
  shop.get('/orders/:number/callbacks', (c) => c.html(orderNews(orders.callbacks(c.req.param('number')))));
  shop.post('/callbacks', async (c) => {
    const body = await c.req.text();
    const order = orders.order(new URLSearchParams(body).get('order_number') ?? '');
    // An order that this shop did not make: nothing to note, but nothing to repeat either.
    if (order !== undefined) orders.add(readCallback(body, c.req.header(), order, new Date().toISOString()));
    return c.text('OK');
  });
  return shop;
}

function page(c: Context, render: (nonce: string) => ReturnType<typeof homePage>, status: 200 | 404 | 502 = 200) {
  const nonce = randomBytes(16).toString('base64');
  return c.html(render(nonce), status, {
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; form-action 'self' http: https:; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
  });
}
