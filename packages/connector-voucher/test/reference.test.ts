import type { FlowName } from '@railyard/runtime';
import { expect, it } from 'vitest';
import { sampleReference, samplePayment } from '../src/reference.samples.ts';
import { referenceVoucherConnector as connector } from '../src/index.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { sessionOf } from './support/sessions.ts';

const session = sessionOf(
  'cash-reference',
  {},
  { order: { number: 'order-1', amount: '10.00', currency: 'USD', description: 'Two books' } },
);
const settings = { private_key: 'the-private-key', gateway_id: 'gateway-1' };
const token: Script[number] = [200, { authorization: 'token-1', expires_in: 3600 }];
const made = { ...sampleReference, merchant_id: OURS };

const run = (flow: FlowName, payment: object, script: Script) =>
  exchange({ connector, key: 'cash-reference', flow, payment, settings }, script);
const buying = (...script: Script) => run('purchase', paymentOf(session, 'cash-reference'), script);

it('asks for a token, a reference and a payment, in this order', async () => {
  const paying = buying(token, [201, made], [201, { ...samplePayment, merchant_id: OURS }]);
  expect(outcomeOf(await paying.drive())).toMatchObject({ status: 'pending', show: { reference: made.reference } });
  expect(paying.lines()).toEqual(['POST /authre', 'POST /references', `POST /references/${made.reference}/payment`]);
  expect(paying.asked.slice(1).map(({ headers }) => headers['authorization'])).toEqual(['token-1', 'token-1']);
});

it('pays no reference of another payment', async () => {
  const paying = buying(token, [201, { ...made, merchant_id: 'of-another' }]);
  expect(outcomeOf(await paying.drive())).toMatchObject({ status: 'unknown' });
  expect(paying.lines()).toHaveLength(2);
});

it('a refused payment is a decline: the payer has not seen the number', async () => {
  const refusal: Script[number] = [422, { code: 'GATEWAY_UNKNOWN', message: 'There is no such gateway.' }];
  const outcome = outcomeOf(await buying(token, [201, made], refusal).drive());
  expect(outcome).toMatchObject({ status: 'declined', kind: 'hard', provider: { code: 'GATEWAY_UNKNOWN' } });
});

it('a lookup by our id shows the number, and one by the reference leaves it alone', async () => {
  const lost = run('status', lookedUp(session, 'cash-reference'), [token, [200, made]]);
  expect(outcomeOf(await lost.drive())).toMatchObject({ show: { kind: 'voucher', reference: made.reference } });
  expect(lost.lines()[1]).toBe(`GET /references/by-merchant-id/${OURS}`);
  const known = run('status', lookedUp(session, 'cash-reference', made.reference), [token, [200, made]]);
  expect(outcomeOf(await known.drive())).not.toHaveProperty('show');
});
