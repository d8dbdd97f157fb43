import { createHmac } from 'node:crypto';
import { fromMinorUnits } from '@railyard/core';
import { receiveNotification } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { paystackConnector as connector } from '../src/index.ts';
import {
  framed,
  sampleCharge,
  sampleNotification,
  sampleRefunds,
  sampleTransferNotification,
} from '../src/paystack.samples.ts';
import { exchange, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { answer, sessionOf } from './support/sessions.ts';

const key = 'mobile-money-paystack';
const secret_key = 'sk_test_of_an_account';
const settings = { base_url: 'https://api.example', secret_key };
const orderIn = (currency: string) => ({ number: 'order-1', amount: '100.00', currency, description: 'Two books' });
const session = (network: string, mobile_number: string, currency: string, more: object = {}) =>
  sessionOf(key, { mobile_number, network }, { order: orderIn(currency), ...more });

describe('what a merchant sends', () => {
  const credit = { operation: 'credit', payee: { name: 'Ada Lovelace' } };

  it.each([
    ['mtn', '+233551234987', 'GHS', {}, []],
    ['mpesa', '+254712345678', 'KES', {}, []],
    ['mpesa', '+233551234987', 'GHS', {}, ['network']],
    ['vod', '+254712345678', 'KES', {}, ['network']],
    ['vod', '+254712345678', 'GHS', {}, ['mobile_number']],
    ['glo', '+233551234987', 'GHS', {}, ['network']],
    ['atl', '+233551234987', 'GHS', credit, []],
    ['mpesa', '+254712345678', 'KES', credit, ['network']],
  ] as const)('%s, %s in %s, %o: %o is wrong', (network, number, currency, more, wrong) => {
    const problems = answer(session(network, number, currency, more)).filter((line) => line.includes(key));
    expect(problems.map((line) => line.split(':')[0])).toEqual(wrong.map((name) => `parameters.${key}.${name}`));
  });
});

const purchase = (script: Script, network = 'vod') =>
  exchange(
    { connector, key, settings, flow: 'purchase', payment: paymentOf(session(network, '+233201234567', 'GHS'), key) },
    script,
  );
/** A reply as Paystack's own examples have it, without the fields that the description requires. */
const short = (status: string, display_text?: string) =>
  [200, framed({ reference: OURS, status, ...(display_text !== undefined && { display_text }) })] as const;
const DIAL = 'Please dial *110# to generate a voucher code. Then input the voucher';

describe('a charge', () => {
  it('shows the provider’s own words for the phone', async () => {
    const shown = outcomeOf(await purchase([short('pay_offline', 'Confirm on your phone')], 'mtn').drive());
    expect(shown).toMatchObject({
      status: 'pending',
      show: { kind: 'confirm-on-device', message: 'Confirm on your phone', number: '+233 •••••-4567' },
    });
  });

  it('asks for a code in the provider’s words, and offers no new one, since there is none', async () => {
    const run = purchase([short('send_otp', DIAL), short('pay_offline')]);
    const asked = await run.drive();
    expect(asked).toMatchObject({ kind: 'suspended', nextAction: { step: 'code', fields: [{ help: DIAL }] } });
    expect(asked).not.toHaveProperty('nextAction.resend', true);
    expect(outcomeOf(await run.drive({ step: 'code', values: { code: '123456' } }))).toMatchObject({
      status: 'pending',
    });
    expect(run.body(1)).toEqual({ otp: '123456', reference: OURS });
  });

  it('that is paid without an amount is not understood, and looked up', async () => {
    expect(await purchase([short('success')]).drive()).toMatchObject({ kind: 'interrupted' });
  });

  it('whose reply is lost is asked for by its reference, and not sent again', async () => {
    const paid = framed({ ...sampleCharge, reference: OURS, status: 'success' });
    const run = purchase(['lost', [200, paid]], 'mtn');
    const first = await run.drive();
    expect(first.kind === 'interrupted' ? await run.drive() : first).toMatchObject({ kind: 'done' });
    expect(run.lines()).toEqual(['POST /charge', `GET /charge/${OURS}`]);
  });

  it.each([
    ['still waits for it', 'send_otp', 2],
    ['has gone on', 'pay_offline', 1],
  ])('whose code may not have arrived gets it again only where it %s', async (_, status, codes) => {
    const run = purchase([short('send_otp', DIAL), 'lost', short(status), short('pay_offline')]);
    await run.drive();
    const first = await run.drive({ step: 'code', values: { code: '123456' } });
    expect(first.kind === 'interrupted' ? await run.drive() : first).toMatchObject({ outcome: { status: 'pending' } });
    expect(run.lines().filter((line) => line === 'POST /charge/submit_otp')).toHaveLength(codes);
  });
});

describe('a refund', () => {
  const id = '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01';
  const amount = fromMinorUnits(10_000, 'GHS');
  const paid = {
    ...paymentOf(session('mtn', '+233201234567', 'GHS'), key),
    providerReference: OURS,
    connectorState: {},
  };
  const listing = { ...sampleRefunds.data[0], merchant_note: id, transaction_reference: OURS };

  it.each([
    ['that the list shows is the one that was asked for', [listing], { kind: 'done' }],
    ['that the list does not show is unknown', [], { kind: 'done', outcome: { status: 'unknown' } }],
  ])('whose reply was lost is never sent again: one %s', async (_, data, result) => {
    const script: Script = ['lost', [200, framed(data)], [200, framed(data)]];
    const about = { id, amount, remaining: amount };
    const run = exchange({ connector, key, settings, flow: 'refund', payment: paid, about }, script);
    const first = await run.drive();
    expect(first.kind === 'interrupted' ? await run.drive() : first).toMatchObject(result);
    expect(run.lines().filter((line) => line.startsWith('POST'))).toEqual(['POST /refund']);
  });
});

describe('a webhook', () => {
  const signed = (body: object, key = secret_key) => {
    const text = JSON.stringify(body);
    const signature = createHmac('sha512', key).update(text).digest('hex');
    const request = { body: text, headers: { 'x-paystack-signature': signature } };
    return receiveNotification(connector, settings, request, Date.parse('2026-11-21T12:00:00Z'));
  };

  it('of a charge settles it, signed with the secret key', () => {
    expect(signed(sampleNotification)).toMatchObject({
      kind: 'events',
      proven: true,
      events: [
        { kind: 'payment', merchantReference: OURS, outcome: { status: 'settled', amount: { text: '100.00' } } },
      ],
    });
    expect(signed(sampleNotification, 'sk_test_of_another')).not.toMatchObject({ kind: 'events' });
  });

  it.each([
    ['transfer.success', 'success', 'settled'],
    ['transfer.failed', 'failed', 'declined'],
    ['transfer.reversed', 'reversed', 'declined'],
  ])('%s is of a transfer', (event, status, becomes) => {
    const data = { ...sampleTransferNotification.data, status };
    expect(signed({ event, data })).toMatchObject({ events: [{ outcome: { status: becomes } }] });
  });

  it('of a refund does not say which one it is, so that the charge is looked up; one of a subscription says nothing', () => {
    const refund = { status: 'processed', transaction_reference: OURS, refund_reference: null, amount: '10000' };
    expect(signed({ event: 'refund.processed', data: refund })).toMatchObject({
      events: [{ kind: 'refund', providerReference: OURS, outcome: { status: 'unknown' } }],
    });
    expect(signed({ event: 'subscription.create', data: { status: 'active' } })).toMatchObject({ events: [] });
  });
});
