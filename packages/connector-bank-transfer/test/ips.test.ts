import { describe, expect, it } from 'vitest';
import { bankIpsConnector as connector } from '../src/index.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { sessionOf } from './support/sessions.ts';

const key = 'ips-qr';
const settings = { api_key: 'the-key', signing_secret: 'a-secret-that-signs', code_seconds: 60 };
const order = { number: 'order-1', amount: '10.00', currency: 'RSD', description: 'Two books' };
const session = sessionOf(key, {}, { order });
const text = 'K:EK|V:01|C:1|R:840000000095584510|N:Shop|I:RSD10,00';
const made = {
  code_id: 'ips-1',
  order_ref: OURS,
  status: 'PENDING',
  amount: '10.00',
  currency: 'RSD',
  qr_text: text,
  expires_at: '2026-11-21T12:01:00Z',
};
const another = { ...made, code_id: 'ips-2', expires_at: '2026-11-21T12:02:00Z' };

const paying = (script: Script) =>
  exchange({ connector, key, flow: 'purchase', payment: paymentOf(session, key), settings }, script);
const looking = (reference: string | undefined, script: Script, flow: 'status' | 'renew' = 'status') =>
  exchange({ connector, key, flow, payment: lookedUp(session, key, reference), settings }, script);

it('asks for a code of a minute, unless the account has another time', async () => {
  const paid = paying([[201, made]]);
  expect(outcomeOf(await paid.drive())).toMatchObject({ show: { kind: 'qr', content: text, copy: false } });
  expect(paid.body(0)).toMatchObject({ order_number: 'order-1', valid_seconds: 60 });
});

it('leaves the text of another currency to the bank', async () => {
  const inMarks = { ...made, currency: 'BAM', qr_text: 'BAM-7' };
  const payment = paymentOf(sessionOf(key, {}, { order: { ...order, currency: 'BAM' } }), key);
  const paid = exchange({ connector, key, flow: 'purchase', payment, settings }, [[201, inMarks]]);
  expect(outcomeOf(await paid.drive())).toMatchObject({ status: 'pending', show: { content: 'BAM-7' } });
});

describe('a renewal', () => {
  it('shows another code, whose minute counts from our own clock', async () => {
    const renewed = looking('ips-1', [[201, another]], 'renew');
    expect(outcomeOf(await renewed.drive())).toMatchObject({
      providerReference: 'ips-2',
      show: { validUntil: '2026-11-21T12:01:00.000Z' },
    });
    expect(renewed.lines()).toEqual(['POST /codes/ips-1/renew']);
  });

  it('with a wrong code leaves the payment alone, whose first code may still be paid', async () => {
    const renewed = looking('ips-1', [[201, { ...another, qr_text: 'x' }]], 'renew');
    expect(outcomeOf(await renewed.drive())).toMatchObject({ status: 'unknown' });
  });

  it.each([
    [409, { code: 'NOT_PENDING' }],
    [404, { code: 'NO_CODE' }],
  ])('that is answered with %d looks up what became of the code', async (status, body) => {
    const renewed = looking(
      'ips-1',
      [
        [status, body],
        [200, { ...made, status: 'EXECUTED' }],
      ],
      'renew',
    );
    expect(outcomeOf(await renewed.drive())).toMatchObject({ status: 'settled' });
    expect(renewed.lines()).toEqual(['POST /codes/ips-1/renew', 'GET /codes/ips-1']);
  });
});

describe('a lookup', () => {
  it('shows the code where the reply that had it was lost, and leaves it alone elsewhere', async () => {
    expect(outcomeOf(await looking(undefined, [[200, made]]).drive())).toMatchObject({ show: { content: text } });
    expect(outcomeOf(await looking('ips-1', [[200, made]]).drive())).not.toHaveProperty('show');
  });

  it('does not decline for a wrong code, which says nothing about money', async () => {
    const lost = looking(undefined, [[200, { ...made, qr_text: 'x' }]]);
    const outcome = outcomeOf(await lost.drive());
    expect(outcome).toMatchObject({ status: 'pending', providerReference: 'ips-1' });
    expect(outcome).not.toHaveProperty('show');
  });

  it('of another payment settles nothing', async () => {
    const other = looking('ips-1', [[200, { ...made, code_id: 'ips-9', status: 'EXECUTED' }]]);
    expect(outcomeOf(await other.drive())).toMatchObject({ status: 'unknown' });
  });
});

it.each([
  ['ACSC', 'settled'],
  ['RJCT', 'declined'],
  ['PDNG', 'pending'],
  ['ACSP', 'pending'],
  ['CANC', 'unknown'],
])('reads the code %s of a notification as %s', (code, status) => {
  const body = { event_id: 'ev-1', code_id: 'ips-1', order_ref: OURS, code, amount: '10.00', currency: 'RSD' };
  expect(connector.notifications?.events(body, { settings: {}, raw: {} as never })).toMatchObject([
    { id: 'ev-1', providerReference: 'ips-1', merchantReference: OURS, outcome: { status } },
  ]);
});
