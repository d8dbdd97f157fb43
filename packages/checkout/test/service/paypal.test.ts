import { kyTransport, type HttpResult, type Transport } from '@railyard/runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { errorOf, merchantActs } from '../support/merchant-acts.ts';
import { confirmedAt, realService, type RealService, sentToPaypal, wordsOf } from '../support/real-providers.ts';
import { expectSold } from '../support/sold-by-command.ts';
import { expectRefusals } from '../support/refusals.ts';
import { sessionBody } from '../support/service.ts';

/** How far the clock is ahead. */
let ahead = 0;
const http = kyTransport();
/** Answers a request in place of PayPal, which has it or not. Nothing: PayPal's own reply counts. */
let between: (asked: string, own: () => Promise<HttpResult>) => Promise<HttpResult> = (_asked, own) => own();
const LATE: HttpResult = { kind: 'lost', why: 'No complete reply in time.' };
/** The reply of PayPal to a request that it cannot carry out. */
const refused = (issue: string): HttpResult => ({
  kind: 'reply',
  status: 422,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'UNPROCESSABLE_ENTITY', message: 'Not possible.', details: [{ issue }] }),
});
const transport: Transport = {
  send: (request) => between(`${request.method} ${new URL(request.url).pathname}`, () => http.send(request)),
};
const JSON_TYPE = { 'content-type': 'application/json' };
/** What PayPal is asked about. */
const PROOF = Object.fromEntries(
  ['auth-algo', 'cert-url', 'transmission-id', 'transmission-sig', 'transmission-time'].map((name) => [
    `paypal-${name}`,
    'forged',
  ]),
);
let paypal: RealService;
let merchant: ReturnType<typeof merchantActs>;
const rule = { connector: 'paypal', scenario: 'settled', notifications: 'once' } as const;

beforeAll(async () => {
  paypal = await realService('paypal', { clock: () => Date.now() + ahead, transport });
  merchant = merchantActs(paypal.url);
});
beforeEach(() => {
  between = (_asked, own) => own();
  paypal.simulator.setRule(rule);
});
afterAll(async () => {
  await paypal.stop();
  await http.close();
});

const sent = (change?: object) => sentToPaypal(paypal.url, paypal.simulator, change);

const reported = async (number: string, words: string) => (await paypal.reported(number, words)).fields;
const told = (number: string) => wordsOf(paypal, number);

/** Captures, voids and refunds of an order at PayPal. */
const done = ({ id }: { readonly id: string }) => {
  const acts = paypal.simulator.modifications().filter(({ payment }) => payment === id);
  return acts.map(({ effect, amount, state }) => `${effect} ${amount} ${state}`);
};
const ledgerOf = ({ id }: { readonly id: string }) =>
  paypal.simulator
    .ledger()
    .filter((entry) => entry.id === id)
    .map(({ effect }) => effect);

/** An order that the payer has approved at PayPal, and the payment that it became. */
async function approved(words: string, change?: object) {
  const { number, page, order } = await sent(change);
  await fetch(await confirmedAt(page));
  const { id = '' } = await reported(number, words);
  return { number, id, order };
}
const paid = () => approved('sale success settled');
const held = () => approved('sale success pending', { auth: true });

describe('a payment at PayPal', () => {
  test('is approved on the pages of PayPal, captured when the payer is back, and reported once; the webhook about it changes nothing more', async () => {
    paypal.simulator.setRule({ ...rule, notifications: 'none' });
    const { number, id, order } = await paid();
    expect(await merchant.status(id)).toBe('settled');
    paypal.simulator.notify(order.id, 'once');
    await paypal.simulator.idle();
    expect(paypal.simulator.deliveries().at(-1)).toMatchObject({ url: paypal.notifyUrl, result: 200 });
    expect(ledgerOf(order).filter((effect) => effect === 'settled')).toHaveLength(1);
    expect(told(number).filter((words) => words === 'sale success settled')).toHaveLength(1);
  });

  test('of a payer who approves and closes the page is captured by the webhook, which PayPal says it sent', async () => {
    const { number, order } = await sent();
    const asked: string[] = [];
    between = (each, own) => {
      asked.push(each);
      return own();
    };
    paypal.simulator.settle(order.id);
    await reported(number, 'sale success settled');
    expect(asked).toContain('POST /paypal/v1/notifications/verify-webhook-signature');
    expect(ledgerOf(order)).toContain('settled');
  });

  test('is not captured for a webhook that PayPal did not send', async () => {
    const { number, order, back } = await sent();
    const amount = { currency_code: 'USD', value: '10.00' };
    const resource = { id: order.id, status: 'APPROVED', purchase_units: [{ amount, custom_id: order.reference }] };
    const forged = { id: 'WH-2', event_type: 'CHECKOUT.ORDER.APPROVED', resource_type: 'checkout-order', resource };
    const answer = await fetch(paypal.notifyUrl, { method: 'POST', headers: PROOF, body: JSON.stringify(forged) });
    expect(answer.status).toBe(401);
    expect(paypal.simulator.payments().find(({ id }) => id === order.id)?.state).toBe('challenged');
    await fetch(back);
    await reported(number, 'sale fail decline');
  });

  test('of a payer who comes back without having approved is declined, and moves no money', async () => {
    const { number, order, back } = await sent();
    await fetch(back);
    await reported(number, 'sale fail decline');
    expect(ledgerOf(order)).not.toContain('settled');
  });

  test('whose capture is answered too late is asked for again under the same key, and captured once', async () => {
    paypal.simulator.setRule({ ...rule, notifications: 'none' });
    const { number, page, order } = await sent();
    let captures = 0;
    between = async (asked, own) => {
      const reply = await own();
      if (!asked.endsWith('/capture')) return reply;
      captures += 1;
      return captures === 1 ? LATE : reply;
    };
    await fetch(await confirmedAt(page));
    ahead += 300_000;
    await reported(number, 'sale success settled');
    expect(captures).toBe(2);
    expect(ledgerOf(order).filter((effect) => effect === 'settled')).toHaveLength(1);
  });

  test('whose repeated capture PayPal refuses, because the order was captured, is not declined but looked up', async () => {
    paypal.simulator.setRule({ ...rule, notifications: 'none' });
    const { number, page, order } = await sent();
    let captures = 0;
    between = async (asked, own) => {
      if (!asked.endsWith('/capture')) return own();
      captures += 1;
      if (captures > 1) return refused('ORDER_ALREADY_CAPTURED');
      await own();
      return LATE;
    };
    await fetch(await confirmedAt(page));
    ahead += 300_000;
    await reported(number, 'sale success settled');
    expect(captures).toBe(2);
    expect(told(number)).not.toContain('sale fail decline');
    expect(ledgerOf(order).filter((effect) => effect === 'settled')).toHaveLength(1);
  });
});

test('a capture that PayPal takes back is told as a chargeback, and not as a refund of the merchant’s, once', async () => {
  const { number, order } = await sent();
  paypal.simulator.settle(order.id);
  const sale = await reported(number, 'sale success settled');
  between = async (asked, own) =>
    asked.endsWith('/verify-webhook-signature')
      ? { kind: 'reply', status: 200, headers: JSON_TYPE, body: '{"verification_status":"SUCCESS"}' }
      : own();
  const resource = {
    id: '1JU08902781691411',
    status: 'COMPLETED',
    amount: { currency_code: 'USD', value: '10.00' },
    custom_id: order.reference,
    supplementary_data: { related_ids: { order_id: order.id } },
  };
  const reversed = { id: 'WH-3', event_type: 'PAYMENT.CAPTURE.REVERSED', resource_type: 'refund', resource };
  const notify = () => fetch(paypal.notifyUrl, { method: 'POST', headers: PROOF, body: JSON.stringify(reversed) });
  expect([(await notify()).status, (await notify()).status]).toEqual([200, 200]);
  expect((await reported(number, 'chargeback success chargeback')).id).toBe(sale.id);
  expect(await merchant.status(sale.id ?? '')).toBe('chargeback');
  expect(told(number).slice(-2)).toEqual(['sale success settled', 'chargeback success chargeback']);
});

describe('a hold at PayPal', () => {
  test('is captured in part, which lets go of the rest, and given back', async () => {
    const { number, id, order } = await held();
    await merchant.capture(id, '6.00');
    await reported(number, 'capture success settled');
    expect(errorOf(await merchant.capture(id, '4.00'))).toMatch(/^208003 /);
    expect(errorOf(await merchant.refund(id, '6.01'))).toMatch(/^208006 /);
    await merchant.refund(id, '6.00');
    await reported(number, 'refund success refund');
    expect(done(order)).toEqual(['capture 6.00 settled', 'refund 6.00 settled']);
  });

  test('is let go of', async () => {
    const { number, id, order } = await held();
    await merchant.refund(id, '10.00');
    await reported(number, 'reversal success reversal');
    expect(done(order)).toEqual(['void 10.00 settled']);
  });
});

describe('a refund at PayPal', () => {
  test('whose reply is lost and whose repeat is refused is found in the order, and made once', async () => {
    const { number, id, order } = await paid();
    paypal.simulator.setRule({ ...rule, notifications: 'none' });
    let refunds = 0;
    between = async (asked, own) => {
      if (!asked.endsWith('/refund')) return own();
      refunds += 1;
      if (refunds > 1) return refused('DUPLICATE_INVOICE_ID');
      await own();
      return LATE;
    };
    await merchant.refund(id, '4.00');
    ahead += 7_200_000;
    await reported(number, 'refund success settled');
    expect(told(number)).not.toContain('refund fail decline');
    expect(done(order)).toEqual(['refund 4.00 settled']);
  });
});

test('every key that the catalogue sends here is paid', () => {
  expect(keysPaidIn('service/paypal.test.ts')).toEqual(['redirect']);
});

test('it is sold by command', async () => {
  await expectSold(paypal, sessionBody({ methods: ['redirect'] }, { currency: 'USD' }));
});

test('a session is refused in a currency that PayPal does not take, and in another operation', async () => {
  await expectRefusals(paypal.url, 'redirect', (change, order) =>
    sessionBody({ methods: ['redirect'], ...change }, { currency: 'USD', ...order }),
  );
});
