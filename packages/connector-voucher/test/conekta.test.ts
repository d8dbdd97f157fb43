import { fromDecimal } from '@railyard/core';
import type { FlowName } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { conektaConnector as connector } from '../src/index.ts';
import {
  orderWith,
  sampleAbsent,
  sampleCash,
  sampleCharge,
  sampleNotification,
  sampleOrder,
  samplePaid,
  sampleRefund,
  sampleRefunded,
} from '../src/conekta.samples.ts';
import { exchange, lookedUp, NOW, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { sessionOf } from './support/sessions.ts';

const ORDER = sampleOrder.id;
const session = sessionOf('cash-voucher', {});
const known = lookedUp(session, 'cash-voucher', ORDER);
const amount = fromDecimal('10.00', 'MXN');
const refund = { id: '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01', amount, remaining: amount };

async function run(
  flow: FlowName,
  script: Script,
  { payment = known, about = {} }: { payment?: object; about?: object } = {},
) {
  const made = { connector, key: 'cash-voucher', flow, payment, settings: { api_key: 'the-key' }, about };
  return outcomeOf(await exchange(made, script).drive());
}

const buying = (order: unknown) => run('purchase', [[200, order]], { payment: paymentOf(session, 'cash-voucher') });
const withMethod = (more: object) => orderWith({ ...sampleCharge, payment_method: { ...sampleCash, ...more } });

describe('a voucher', () => {
  it('has its number to the last digit where the reply writes it as a number', async () => {
    const text = JSON.stringify(withMethod({ reference: 'N' })).replace('"N"', '10001140326893401915');
    const payment = paymentOf(session, 'cash-voucher');
    expect(await run('purchase', [[200, text]], { payment })).toMatchObject({
      show: { kind: 'voucher', reference: '10001140326893401915' },
    });
  });

  it('is paid until the provider says, and for ever where it says nothing', async () => {
    expect(await buying(sampleOrder)).toMatchObject({ payableUntil: '2025-12-21T12:00:00.000Z' });
    expect(await buying(withMethod({ expires_at: undefined }))).not.toHaveProperty('payableUntil');
  });

  it('ends when we asked for its end, whatever end the reply has', async () => {
    const made = { connector, key: 'cash-voucher', settings: { api_key: 'the-key', expires_in_hours: 24 } };
    const asked = { ...made, flow: 'purchase' as const, payment: paymentOf(session, 'cash-voucher') };
    const run24 = exchange(asked, [[200, withMethod({ expires_at: 1_766_318_400 })]]);
    const end = new Date(Date.parse(NOW) + 24 * 3_600_000).toISOString();
    expect(outcomeOf(await run24.drive())).toMatchObject({ payableUntil: end, show: { validUntil: end } });
  });

  it('without a number is declined: the payer has nothing to pay', async () => {
    expect(await buying(withMethod({ reference: undefined }))).toMatchObject({ status: 'declined', kind: 'soft' });
  });

  it('is not shown anew by a lookup', async () => {
    expect(await run('status', [[200, sampleOrder]])).not.toHaveProperty('show');
  });

  it('of another order settles nothing', async () => {
    const other = orderWith({ ...sampleCharge, status: 'paid', order_id: 'ord_2other' });
    expect(await run('status', [[200, other]])).toMatchObject({ status: 'unknown' });
  });
});

const list = { object: 'list', has_more: false };
const withRefunds = (...data: readonly object[]) =>
  orderWith({ ...sampleCharge, status: 'partially_refunded', refunds: { ...list, data } });
const earlier = { ...sampleRefund, id: '6407b5bee1329a000175ba00', status: 'refunded' };

describe('a refund', () => {
  it('is the one that the order did not have before', async () => {
    const script: Script = [
      [200, withRefunds(earlier)],
      [200, withRefunds(earlier, sampleRefund)],
    ];
    expect(await run('refund', script, { about: refund })).toMatchObject({
      status: 'pending',
      providerReference: sampleRefund.id,
    });
  });

  it('is unknown where the order has two new ones', async () => {
    const script: Script = [
      [200, samplePaid],
      [200, withRefunds(earlier, sampleRefund)],
    ];
    expect(await run('refund', script, { about: refund })).toMatchObject({ status: 'unknown' });
  });

  it('whose reply was lost is never sent again, whether the order shows it or not', async () => {
    const payment = known;
    for (const order of [withRefunds(earlier, sampleRefund), withRefunds(earlier), withRefunds(), undefined]) {
      const looked = order === undefined ? ([404, sampleAbsent] as const) : ([200, order] as const);
      const script: Script = [[200, withRefunds(earlier)], 'lost', looked, looked];
      const made = { connector, key: 'cash-voucher', flow: 'refund', payment, settings: { api_key: 'k' } } as const;
      const sent = exchange({ ...made, about: refund }, script);
      if ((await sent.drive()).kind === 'interrupted') await sent.drive();
      expect(sent.lines().filter((line) => line.startsWith('POST'))).toEqual([`POST /orders/${ORDER}/refunds`]);
    }
  });

  const lost = { modification: { name: 'refund', id: refund.id, amount } };
  const looking = (connectorState: object, ...data: readonly object[]) =>
    run('modificationStatus', [[200, withRefunds(...data)]], { payment: { ...known, connectorState }, about: lost });

  it('whose reply was lost is the one of its amount that is not known', async () => {
    expect(await looking({ [earlier.id]: 'refund' }, earlier, sampleRefund)).toMatchObject({
      status: 'pending',
      providerReference: sampleRefund.id,
    });
    expect(await looking({}, earlier, sampleRefund)).toMatchObject({ status: 'unknown' });
    expect(await looking({}, { ...sampleRefund, amount: -999 })).toMatchObject({ status: 'unknown' });
  });

  it('that the order lists without a word took place', async () => {
    const { status: _, ...silent } = sampleRefund;
    expect(await looking({}, silent)).toMatchObject({ status: 'settled', amount: { text: '10.00' } });
  });

  it('with a word that the description does not have is unknown', async () => {
    expect(await looking({}, { ...sampleRefund, status: 'rejected' })).toMatchObject({ status: 'unknown' });
  });
});

describe('a notification', () => {
  const { notifications } = connector;
  const read = (body: unknown) => {
    const parsed = notifications?.body.safeParse(body);
    return parsed?.success === true
      ? notifications?.events(parsed.data, { settings: {}, raw: {} as never })
      : 'refused';
  };

  it('of an order says where to look', () => {
    expect(read(sampleNotification)).toMatchObject([
      { kind: 'payment', providerReference: ORDER, id: `${ORDER}/paid` },
    ]);
  });

  it('of anything else says nothing', () => {
    expect(read({ type: 'charge.paid', data: { object: sampleCharge } })).toEqual([]);
    expect(read({ type: 'webhook_ping', data: { object: {} } })).toEqual([]);
  });
});

it('takes the whole refund of the example', async () => {
  const script: Script = [
    [200, samplePaid],
    [200, sampleRefunded],
  ];
  expect(await run('refund', script, { about: refund })).toMatchObject({
    connectorState: { [sampleRefund.id]: 'refund' },
  });
});
