import { fromDecimal } from '@railyard/core';
import type { FlowName } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { hostedConnector as connector } from '../src/index.ts';
import { sampleApproved, sampleOrder, sampleRefund } from '../src/hosted.samples.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { BASKET, BUYER, sessionOf } from './support/sessions.ts';

const settings = { shop_id: 'shop-1', api_key: 'the-api-key', notification_secret: 'a-notification-secret' };
const ORDER = sampleOrder.order_id;
const PAGE = sampleOrder.checkout_url;
const opened = [201, sampleOrder] as const;
const back = { step: 'visit', values: { order_id: ORDER } };

const buying = (script: Script, key = 'pay-later', parameters: object = BUYER) =>
  exchange(
    { connector, key, settings, flow: 'purchase', payment: paymentOf(sessionOf(key, { ...parameters }), key) },
    script,
  );

describe('an order', () => {
  it('is made, the payer is sent to its page, and then it is looked up: what the browser says decides nothing', async () => {
    const run = buying([opened, [200, sampleApproved]]);
    expect(await run.drive()).toMatchObject({ nextAction: { kind: 'visit', url: PAGE, reference: ORDER } });
    expect(outcomeOf(await run.drive(back))).toMatchObject({ status: 'settled', amount: { text: '10.00' } });
    expect(run.lines()).toEqual(['POST /v1/orders', `GET /v1/orders/${OURS}`]);
    expect(run.asked[0]?.headers).toMatchObject({ 'x-shop': 'shop-1', authorization: 'Bearer the-api-key' });
  });

  it.each([
    ['pay-later', BUYER, { ...BUYER, buyer_loyalty_level: 0 }],
    ['pay-later', { ...BUYER, buyer_loyalty_level: '7' }, { ...BUYER, buyer_loyalty_level: 7 }],
    ['pay-later-basket', { ...BASKET, product_amount: 8.5, tax_amount: '0.5' }, BASKET],
    ['hosted-payment-id', {}, {}],
    [
      'hosted-payment-id',
      { product_name: 'Two books', product_quantity: '2' },
      { product_name: 'Two books', product_quantity: 2 },
    ],
  ])('of %s with %j carries %j', async (key, parameters, details) => {
    const run = buying([opened], key, parameters);
    await run.drive();
    expect(run.body(0)).toMatchObject({ product: key, amount: '10.00', currency: 'IDR' });
    expect(run.body(0)).toHaveProperty('details', details);
  });

  it('is sent again under the same key where its reply was lost', async () => {
    const run = buying(['lost', opened]);
    await run.drive();
    expect(await run.drive()).toMatchObject({ nextAction: { kind: 'visit', url: PAGE } });
    const keys = run.asked.map(({ headers }) => headers['x-request-id']);
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).toBe(keys[0]);
  });

  it('that is decided at once sends the payer nowhere', async () => {
    const rejected = { ...sampleOrder, state: 'REJECTED', state_reason: 'buyer_blocked' };
    expect(outcomeOf(await buying([[201, rejected]]).drive())).toMatchObject({ status: 'declined', kind: 'hard' });
  });

  it('without a page waits for the provider’s word', async () => {
    const { checkout_url: _, ...without } = sampleOrder;
    expect(outcomeOf(await buying([[201, without]]).drive())).toMatchObject({ status: 'pending' });
  });

  it('that the provider has already is unknown, and no other refusal is', async () => {
    const refused = async (code: string) => outcomeOf(await buying([[422, { code }]]).drive());
    expect(await refused('order_exists')).toMatchObject({ status: 'unknown' });
    expect(await refused('order_not_accepted')).toMatchObject({ status: 'declined', kind: 'hard' });
  });

  it('of another payment says nothing about this one', async () => {
    const other = { ...sampleApproved, merchant_order: 'another-payment' };
    expect(outcomeOf(await buying([[201, other]]).drive())).toMatchObject({ status: 'unknown' });
  });
});

const session = sessionOf('pay-later', BUYER);
const amount = fromDecimal('4.00', 'IDR');
const paid = lookedUp(session, 'pay-later', ORDER);

async function run(flow: FlowName, payment: object, reply: Script[number], about: object = {}) {
  return outcomeOf(await exchange({ connector, key: 'pay-later', settings, flow, payment, about }, [reply]).drive());
}

describe('a lookup', () => {
  it('shows the way to the page where the reply that had it was lost, and else shows nothing', async () => {
    expect(await run('status', lookedUp(session, 'pay-later'), [200, sampleOrder])).toMatchObject({
      show: { kind: 'redirect', url: PAGE },
    });
    expect(await run('status', paid, [200, sampleOrder])).not.toHaveProperty('show');
  });

  it('of a state that the description does not have is unknown', async () => {
    expect(await run('status', paid, [200, { ...sampleOrder, state: 'PAUSED' }])).toMatchObject({ status: 'unknown' });
  });

  it('never takes "not found" for a decline', async () => {
    expect(await run('status', paid, [404, { code: 'unknown' }])).toMatchObject({ status: 'unknown' });
  });
});

describe('a refund', () => {
  const id = sampleRefund.merchant_refund;
  const refund = { id, amount, remaining: amount };
  const modification = { modification: { name: 'refund', id, amount, providerReference: sampleRefund.refund_id } };

  it('is made of the order, under our own reference', async () => {
    const made = { connector, key: 'pay-later', settings, flow: 'refund' as const, payment: paid, about: refund };
    const asked = exchange(made, [[201, sampleRefund]]);
    expect(outcomeOf(await asked.drive())).toMatchObject({ status: 'settled', amount: { text: '4.00' } });
    expect(asked.lines()).toEqual([`POST /v1/orders/${ORDER}/refunds`]);
    expect(asked.body(0)).toEqual({ merchant_refund: id, amount: '4.00', currency: 'IDR' });
  });

  it.each([
    [201, { ...sampleRefund, state: 'REFUND_PENDING' }, { status: 'pending', providerReference: 're_90c4d2' }],
    [422, { code: 'refund_too_high' }, { status: 'declined', kind: 'hard', provider: { code: 'refund_too_high' } }],
    [409, { code: 'refund_exists' }, { status: 'unknown' }],
    [201, { ...sampleRefund, merchant_refund: 'another-refund' }, { status: 'unknown' }],
  ])('answered with %s %j is %j', async (status, body, outcome) => {
    expect(await run('refund', paid, [status, body], refund)).toMatchObject(outcome);
  });

  it.each([
    ['REFUND_PENDING', 'pending'],
    ['REFUNDED', 'settled'],
    ['REFUND_FAILED', 'declined'],
  ])('that is %s is looked up as %s', async (state, status) => {
    expect(await run('modificationStatus', paid, [200, { ...sampleRefund, state }], modification)).toMatchObject({
      status,
    });
  });

  it('under another id than the one that was answered is unknown', async () => {
    const other = { ...sampleRefund, refund_id: 're_other' };
    expect(await run('modificationStatus', paid, [200, other], modification)).toMatchObject({ status: 'unknown' });
  });
});
