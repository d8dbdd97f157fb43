import { readPath } from '@railyard/core';
import { describe, expect, it } from 'vitest';
import { paypalConnector as connector } from '../src/index.ts';
import {
  authorization,
  authorized,
  approved,
  capture,
  captured,
  captureOfHold,
  created,
  event,
  events,
  orderWith,
  ORDER,
  refund,
  refusal,
  voided,
} from '../src/paypal.samples.ts';
import { exchange, outcomeOf, OURS, paymentOf, type Script } from './support/exchange.ts';
import { act, buy, lookUp, MODIFICATION, settings } from './support/paypal.ts';
import { sessionOf } from './support/sessions.ts';

const bought = async (script: Script, more?: object) => outcomeOf((await buy(script, more)).result);
const ordered = [201, created] as const;

describe('an order', () => {
  it('sends the payer to the address of the link payer-action, from which they may turn back', async () => {
    const payment = paymentOf(sessionOf('redirect', {}), 'redirect');
    const made = exchange({ connector, key: 'redirect', flow: 'purchase', payment, settings }, [
      [200, { access_token: 'a-token', expires_in: 60 }],
      [201, created],
    ]);
    expect(await made.drive()).toMatchObject({
      kind: 'suspended',
      nextAction: { kind: 'visit', url: `https://www.paypal.com/checkoutnow?token=${ORDER}`, mayTurnBack: true },
    });
    expect(made.asked[0]?.headers).toMatchObject({ authorization: `Basic ${btoa('the-client:the-secret')}` });
  });

  it('has at most 127 UTF-16 units of the description, and halves no emoji', async () => {
    const order = { number: 'order-1', amount: '10.00', currency: 'USD', description: '\u{1F600}'.repeat(90) };
    const { bodies } = await buy([ordered, [422, refusal('ORDER_NOT_APPROVED', 'Not approved.')]], { order });
    expect(readPath(bodies[0], 'purchase_units.0.description')).toBe('\u{1F600}'.repeat(63));
  });

  it('without such a link is declined: the payer has nowhere to go', async () => {
    expect(await bought([[201, { ...created, links: [] }]])).toMatchObject({ status: 'declined', kind: 'soft' });
  });

  it('of another payment is unknown', async () => {
    const [unit] = created.purchase_units;
    const other = { ...created, purchase_units: [{ ...unit, custom_id: 'of-another' }] };
    expect(await bought([[201, other]])).toMatchObject({ status: 'unknown' });
  });

  it('with a part of a forint is declined before PayPal is asked', async () => {
    const order = { number: 'order-1', amount: '1000.50', currency: 'HUF', description: 'Two books' };
    const { asked, result } = await buy([], { order });
    expect(asked).toEqual([]);
    expect(outcomeOf(result)).toMatchObject({ status: 'declined', code: 'amount_not_accepted' });
  });

  it('of whole forints is written without decimals', async () => {
    const order = { number: 'order-1', amount: '1000.00', currency: 'HUF', description: 'Two books' };
    const { bodies } = await buy([[422, refusal('INVALID_CURRENCY_CODE', 'Currency code is invalid.')]], { order });
    expect(bodies[0]).toMatchObject({ purchase_units: [{ amount: { currency_code: 'HUF', value: '1000' } }] });
  });
});

describe('a payer who comes back', () => {
  it('pays what PayPal says that it took', async () => {
    const less = { ...capture, amount: { currency_code: 'USD', value: '9.00' } };
    expect(await bought([ordered, [201, orderWith('COMPLETED', { captures: [less] })]])).toMatchObject({
      status: 'settled',
      amount: { text: '9.00' },
      connectorState: { capture: capture.id },
    });
  });

  it('without having approved the order is declined, softly', async () => {
    const open = refusal('ORDER_NOT_APPROVED', 'Payer has not yet approved the Order for payment.');
    expect(await bought([ordered, [422, open]])).toMatchObject({
      status: 'declined',
      kind: 'soft',
      code: 'cancelled_by_payer',
    });
  });

  it('is unknown where the order was taken before, and where PayPal is still at it', async () => {
    const taken = refusal('ORDER_ALREADY_CAPTURED', 'Order already captured.');
    expect(await bought([ordered, [422, taken]])).toMatchObject({ status: 'unknown' });
    const { result } = await buy([ordered, [409, refusal('PREVIOUS_REQUEST_IN_PROGRESS', 'In progress.')]]);
    expect(result).toMatchObject({ kind: 'interrupted' });
  });

  it('is unknown where the completed order names no payment', async () => {
    expect(await bought([ordered, [201, orderWith('COMPLETED')]])).toMatchObject({
      status: 'unknown',
      provider: { status: 'ORDER_COMPLETED' },
    });
  });

  it('has their money held by an order that is authorised', async () => {
    expect(await bought([ordered, [201, authorized]], { auth: true })).toMatchObject({
      status: 'authorized',
      connectorState: { authorization: authorization.id },
    });
  });
});

describe('a lookup', () => {
  it('of an approved order ends the payer’s visit, so that the payment is finished', async () => {
    expect((await lookUp([[200, approved]])).result).toMatchObject({
      kind: 'reported',
      report: { events: [{ kind: 'returned', providerReference: ORDER, values: {} }] },
    });
  });

  it('of an approved order with another id says nothing', async () => {
    const { result } = await lookUp([[200, { ...approved, id: 'OTHER' }]]);
    expect(outcomeOf(result)).toMatchObject({ status: 'unknown' });
  });

  it('without the id of an order asks nothing: the payer was sent nowhere', async () => {
    const { asked, result } = await lookUp([], { providerReference: undefined });
    expect(asked).toEqual([]);
    expect(outcomeOf(result)).toMatchObject({ status: 'unknown' });
  });

  it('of an order that was not taken is pending, and one whose reply names a payment is what that is', async () => {
    expect(outcomeOf((await lookUp([[200, created]])).result)).toMatchObject({ status: 'pending' });
    expect(outcomeOf((await lookUp([[200, captured]])).result)).toMatchObject({ status: 'settled' });
  });

  it('of a hold that is void ends the payment: one that waits is declined, and a hold is let go of', async () => {
    const order = orderWith('COMPLETED', { authorizations: [voided] });
    expect((await lookUp([[200, order]])).result).toMatchObject({
      kind: 'reported',
      report: {
        events: [
          { kind: 'ended', providerReference: ORDER, outcome: { status: 'declined', kind: 'hard', code: 'cancelled' } },
        ],
      },
    });
  });

  it('of a payment reports what was given back, on the pages of PayPal too', async () => {
    const there = {
      ...refund,
      id: 'REFUND-THERE',
      amount: { currency_code: 'USD', value: '3.00' },
    };
    const taken = { ...capture, status: 'PARTIALLY_REFUNDED' };
    const order = orderWith('COMPLETED', { captures: [taken], refunds: [refund, there] });
    expect((await lookUp([[200, order]])).result).toMatchObject({
      kind: 'reported',
      report: {
        events: [
          { kind: 'payment', outcome: { status: 'settled', amount: { text: '10.00' } } },
          { kind: 'refund', outcome: { providerReference: refund.id, amount: { text: '10.00' } } },
          { kind: 'refund', outcome: { providerReference: 'REFUND-THERE', amount: { text: '3.00' } } },
        ],
      },
    });
  });
});

describe('a hold', () => {
  it('is captured once, so that PayPal lets go of the rest', async () => {
    const { bodies, result } = await act('capture', [[201, { ...captureOfHold, invoice_id: MODIFICATION }]]);
    expect(bodies).toEqual([
      { amount: { currency_code: 'USD', value: '10.00' }, invoice_id: MODIFICATION, final_capture: true },
    ]);
    expect(outcomeOf(result)).toMatchObject({ status: 'settled', providerReference: captureOfHold.id });
  });

  it('that has expired is captured no more', async () => {
    const late = refusal('AUTHORIZATION_EXPIRED', 'An expired authorization cannot be captured.');
    expect(outcomeOf((await act('capture', [[422, late]])).result)).toMatchObject({
      status: 'declined',
      kind: 'hard',
      code: 'expired',
    });
  });

  it('whose capture names another invoice is unknown', async () => {
    const { result } = await act('capture', [[201, captureOfHold]]);
    expect(outcomeOf(result)).toMatchObject({
      status: captureOfHold.invoice_id === MODIFICATION ? 'settled' : 'unknown',
    });
    const other = await act('capture', [[201, { ...captureOfHold, invoice_id: 'of-another' }]]);
    expect(outcomeOf(other.result)).toMatchObject({ status: 'unknown' });
  });

  it('is let go of only where PayPal says so', async () => {
    expect(outcomeOf((await act('void', [[200, voided]])).result)).toMatchObject({ status: 'settled' });
    expect(outcomeOf((await act('void', [[200, authorization]])).result)).toMatchObject({ status: 'unknown' });
    const before = refusal('PREVIOUSLY_VOIDED', 'Authorization has been previously voided.');
    expect(outcomeOf((await act('void', [[422, before]])).result)).toMatchObject({ status: 'unknown' });
  });

  it('and a sale are told apart: a sale is taken back by a refund', async () => {
    const { asked, result } = await act('void', [], { held: false });
    expect(asked).toEqual([]);
    expect(outcomeOf(result)).toMatchObject({ status: 'declined', code: 'not_supported' });
  });

  it.each(['capture', 'void', 'refund'] as const)('without an id cannot have a %s', async (flow) => {
    const { asked, result } = await act(flow, [], { state: {} });
    expect(asked).toEqual([]);
    expect(outcomeOf(result)).toMatchObject({ status: 'declined', kind: 'hard' });
  });
});

describe('a refund', () => {
  const own = { ...refund, invoice_id: MODIFICATION };
  const listed = (...refunds: readonly object[]) => orderWith('COMPLETED', { captures: [capture], refunds });

  it('names the payment and itself', async () => {
    const { bodies } = await act('refund', [[201, own]]);
    expect(bodies).toEqual([
      { amount: { currency_code: 'USD', value: '10.00' }, invoice_id: MODIFICATION, custom_id: OURS },
    ]);
  });

  it('of an invoice that PayPal has already is unknown', async () => {
    const twice = refusal('DUPLICATE_INVOICE_ID', 'Invoice ID was previously used to refund a capture.');
    expect(outcomeOf((await act('refund', [[422, twice]])).result)).toMatchObject({ status: 'unknown' });
  });

  it('that the merchant has no money for may be made later', async () => {
    const empty = refusal(
      'REFUND_FAILED_INSUFFICIENT_FUNDS',
      'Capture could not be refunded due to insufficient funds.',
    );
    expect(outcomeOf((await act('refund', [[422, empty]])).result)).toMatchObject({
      status: 'declined',
      kind: 'soft',
      code: 'insufficient_funds',
    });
  });

  it('whose reply was lost is found in the order by its invoice', async () => {
    const asked = { providerReference: undefined };
    const looking = async (...refunds: readonly object[]) =>
      outcomeOf((await act('modificationStatus', [[200, listed(...refunds)]], asked)).result);
    expect(await looking(refund, { ...own, id: 'R-2', status: 'PENDING' })).toMatchObject({
      status: 'pending',
      providerReference: 'R-2',
    });
    expect(await looking(refund)).toMatchObject({ status: 'unknown' });
  });

  it('that failed is declined', async () => {
    const order = listed({ ...own, status: 'FAILED' });
    expect(outcomeOf((await act('modificationStatus', [[200, order]])).result)).toMatchObject({ status: 'declined' });
  });

  it('is looked up apart from a capture and from a void', async () => {
    const order = orderWith('COMPLETED', {
      authorizations: [voided],
      captures: [{ ...captureOfHold, invoice_id: MODIFICATION }],
    });
    const looking = async (name: string) =>
      outcomeOf((await act('modificationStatus', [[200, order]], { name, providerReference: undefined })).result);
    expect(await looking('capture')).toMatchObject({ status: 'settled', providerReference: captureOfHold.id });
    expect(await looking('release')).toMatchObject({ status: 'settled', providerReference: voided.id });
    expect(await looking('refund')).toMatchObject({ status: 'unknown' });
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
  const [ofOrder, ofCapture, , ofHoldsCapture, , , , ofHold, ofVoid, ofRefund] = events;

  it('of an approved order ends the payer’s visit', () => {
    expect(read(ofOrder)).toEqual([
      { kind: 'returned', id: `${ORDER}/APPROVED`, providerReference: ORDER, values: {} },
    ]);
    expect(read(event('CHECKOUT.ORDER.COMPLETED', 'checkout-order', captured))).toEqual([]);
  });

  it('of a capture or a hold is the payment’s, under the order', () => {
    expect(read(ofCapture)).toMatchObject([
      { kind: 'payment', providerReference: ORDER, merchantReference: OURS, outcome: { status: 'settled' } },
    ]);
    expect(read(ofHold)).toMatchObject([{ kind: 'payment', outcome: { status: 'authorized' } }]);
    expect(read(ofVoid)).toMatchObject([{ kind: 'ended', providerReference: ORDER, outcome: { status: 'declined' } }]);
  });

  it('of a capture with an invoice is that of a hold', () => {
    expect(read(ofHoldsCapture)).toMatchObject([
      { kind: 'capture', providerReference: ORDER, outcome: { providerReference: captureOfHold.id } },
    ]);
  });

  it('of a refund names the payment by our own reference', () => {
    expect(read(ofRefund)).toMatchObject([
      { kind: 'refund', merchantReference: OURS, outcome: { status: 'settled', providerReference: refund.id } },
    ]);
  });

  it('of a reversal is a dispute, and no refund of the merchant', () => {
    expect(read(event('PAYMENT.CAPTURE.REVERSED', 'refund', refund))).toMatchObject([
      { kind: 'chargeback', merchantReference: OURS, amount: { text: '10.00' } },
    ]);
  });

  it('that names no order says nothing of a payment', () => {
    expect(read(event('PAYMENT.CAPTURE.COMPLETED', 'capture', capture))).toEqual([]);
  });

  it('of anything else, and of another system, says nothing', () => {
    expect(read(event('CUSTOMER.DISPUTE.CREATED', 'dispute', { dispute_id: 'PP-D-1' }))).toEqual([]);
    expect(read(event('PAYMENT.AUTHORIZATION.CREATED', 'authorization', { state: 'authorized' }))).toEqual([]);
  });

  it('is asked about with the proof of its headers, byte for byte', () => {
    const endpoint = connector.endpoints.find(({ name }) => name === 'verify-webhook-signature');
    const text = '{"id":"WH-2",  "amount":10.00}';
    const input = { proof: { transmission_id: 't-1' }, event: text };
    expect(endpoint?.request(input, { settings, key: '', credential: { access_token: 'a-token' } })).toEqual({
      headers: { authorization: 'Bearer a-token', 'content-type': 'application/json' },
      text: `{"transmission_id":"t-1","webhook_id":"WH-1","webhook_event":${text}}`,
    });
  });
});
