import { nestBrackets } from '@railyard/core';
import { CardHandle, eventKey } from '@railyard/core/driver';
import { describe, expect, it } from 'vitest';
import * as samples from '../src/stripe.samples.ts';
import { authentication } from './support/authentication.ts';
import { paymentOf, visa } from './support/rig.ts';
import { CHANGE, exchange, known, OURS, purchase, received, usd } from './support/stripe-exchange.ts';

const method = [200, samples.paymentMethod] as const;
const ok = [200, samples.succeeded] as const;
const formOf = ({ asked }: Awaited<ReturnType<typeof exchange>>, at: number): unknown =>
  nestBrackets(Object.fromEntries(new URLSearchParams(asked[at]?.body)));
const declinedBy = async (error: object) =>
  (await purchase({}, [method, [402, { error: { ...samples.decline.error, ...error } }]])).outcome;

describe('a payment', () => {
  it('is a payment method first, and then a PaymentIntent that is confirmed at once', async () => {
    const sale = await purchase({}, [method, ok]);
    expect(formOf(sale, 0)).toMatchObject({ type: 'card', card: { number: '4111111111111111', cvc: '737' } });
    expect(formOf(sale, 1)).toMatchObject({
      amount: '2500',
      currency: 'usd',
      confirm: 'true',
      payment_method: 'pm_card_visa',
    });
    expect(sale.outcome).toMatchObject({ status: 'settled', providerReference: samples.succeeded.id });
    const hold = await purchase({ session: { auth: true } }, [method, [200, samples.held]]);
    expect(formOf(hold, 1)).toMatchObject({ capture_method: 'manual' });
    expect(hold.outcome).toMatchObject({ status: 'authorized', amount: { text: '10.00' } });
  });

  it('of another reference is unknown', async () => {
    const other = { ...samples.succeeded, metadata: { reference: 'another' } };
    expect((await purchase({}, [method, [200, other]])).outcome?.status).toBe('unknown');
  });

  it('is declined by the code of its bank, softly where the code is not mapped, and hard where the request was not taken', async () => {
    expect(await declinedBy({})).toMatchObject({
      kind: 'soft',
      code: 'insufficient_funds',
      providerReference: samples.failed.id,
    });
    expect(await declinedBy({ decline_code: 'lost_card' })).toMatchObject({ kind: 'hard', code: 'card_declined' });
    expect(await declinedBy({ decline_code: 'pickup_card' })).toMatchObject({ kind: 'hard', code: 'card_declined' });
    expect(await declinedBy({ decline_code: 'invalid_account' })).toMatchObject({
      kind: 'hard',
      code: 'card_not_valid',
    });
    expect(await declinedBy({ decline_code: 'withdrawal_count_limit_exceeded' })).toMatchObject({
      kind: 'soft',
      code: 'limit_exceeded',
    });
    expect(await declinedBy({ decline_code: 'a_new_code' })).toMatchObject({ kind: 'soft', code: 'card_declined' });
    expect((await purchase({}, [[400, samples.problem]])).outcome).toMatchObject({ status: 'declined', kind: 'hard' });
    for (const more of [{ code: 'idempotency_key_in_use' }, {}]) {
      const keyed = [400, { error: { type: 'idempotency_error', ...more } }] as const;
      expect((await purchase({}, [method, keyed])).outcome).toMatchObject({ status: 'unknown' });
    }
  });

  it('is refused before anything is sent where a parameter would be dropped, or its currency has no such cents', async () => {
    const dropped = await purchase({ parameters: { cart: { items: [{ name: 'Hat' }] } } }, []);
    expect([dropped.outcome?.status, dropped.asked]).toEqual(['declined', []]);
    const order = { number: 'order-1', amount: '10.50', currency: 'MGA', description: 'Two books' };
    const cents = await purchase({ session: { order } }, []);
    expect([cents.outcome, cents.asked]).toMatchObject([{ status: 'declined', code: 'amount_not_accepted' }, []]);
    const fils = await purchase({ session: { order: { ...order, amount: '5.124', currency: 'KWD' } } }, []);
    expect([fils.outcome, fils.asked]).toMatchObject([{ status: 'declined', code: 'amount_not_accepted' }, []]);
  });

  it.each([
    ['ISK', '10', '1000'],
    ['UGX', '10', '1000'],
    ['MGA', '10.00', '10'],
    ['JPY', '10', '10'],
    ['BHD', '10.000', '10000'],
  ])('in %s of %s is asked for as %s', async (currency, amount, units) => {
    const order = { number: 'order-1', amount, currency, description: 'Two books' };
    expect(formOf(await purchase({ session: { order } }, [method, ok]), 1)).toMatchObject({ amount: units });
  });

  it('goes on with what the lookup says once the payer is back', async () => {
    const late = await purchase({}, [method, [200, samples.redirecting], [200, samples.failed]]);
    expect(late.outcome).toMatchObject({ status: 'declined', code: 'insufficient_funds' });
    const gone = await purchase({}, [method, [200, samples.redirecting], [404, samples.absent]]);
    expect(gone.outcome).toMatchObject({ status: 'pending' });
  });

  it('keeps the card of a mandate with a customer of its own, with which later charges are made', async () => {
    const script = [[200, samples.customer], method, [200, samples.saved]] as const;
    const first = await purchase({ session: { recurring_init: true } }, script);
    expect(formOf(first, 2)).toMatchObject({ customer: samples.customer.id, setup_future_usage: 'off_session' });
    expect(first.outcome).toMatchObject({
      agreement: { customer: samples.customer.id, payment_method: 'pm_card_visa' },
    });
    const without = { payment: { ...known(), auth: false }, initial: { ...known(), agreement: {} } };
    expect((await exchange('recurring', without, [])).outcome).toMatchObject({ code: 'not_supported' });
  });

  it('by a network that its payer chose keeps it for later charges, and is refused with the merchant’s own 3-D Secure', async () => {
    const done = { ...authentication, cryptogram: new CardHandle('cryptogram') };
    const by = (brand: string) => ({ card: visa('03/30', { brand, coBranded: true }) });
    const sale = await purchase(by('cartes_bancaires'), [method, ok]);
    expect(formOf(sale, 0)).toMatchObject({ card: { networks: { preferred: 'cartes_bancaires' } } });
    const proven = (brand: string) => ({ payment: { ...paymentOf(OURS, by(brand)), authentication: done } });
    const refused = await exchange('purchase', proven('cartes_bancaires'), []);
    expect([refused.outcome, refused.asked]).toMatchObject([{ status: 'declined', code: 'not_supported' }, []]);
    expect((await exchange('purchase', proven('visa'), [method, ok])).outcome).toMatchObject({ status: 'settled' });
  });

  it('that was only begun is pending, not declined, when it is looked up', async () => {
    const begun = { ...samples.redirecting, next_action: null, status: 'requires_payment_method' };
    expect((await exchange('status', { payment: known() }, [[200, begun]])).outcome).toMatchObject({
      status: 'pending',
    });
    const expired = await exchange('status', { payment: known() }, [[200, samples.canceled]]);
    expect(expired.report).toMatchObject({ events: [{ kind: 'hold-expired' }] });
  });

  it('that is looked up is reported with the refunds of every page, and its disputes in the order in which they began', async () => {
    const charge = { id: 'ch_1', disputed: true, refunds: { ...samples.refunds, has_more: true } };
    const refund = (id: string) => ({ ...samples.refund, id });
    const dispute = (id: string, status: string) => ({ ...samples.dispute, id, status });
    const { report, asked } = await exchange('status', { payment: known() }, [
      [200, { ...samples.succeeded, latest_charge: charge }],
      [200, { ...samples.refunds, data: [refund('re_3'), refund('re_2')], has_more: true }],
      [200, { ...samples.refunds, data: [refund('re_1')] }],
      [200, { ...samples.disputes, data: [dispute('du_2', 'lost'), dispute('du_1', 'won')] }],
    ]);
    expect(asked.map(({ url }) => new URL(url).searchParams.get('starting_after'))).toEqual([null, null, 're_2', null]);
    const events = report !== undefined && 'events' in report ? report.events : [];
    expect(events.slice(1).map(eventKey)).toEqual([
      'refund/re_3/succeeded',
      'refund/re_2/succeeded',
      'refund/re_1/succeeded',
      'chargeback/du_1',
      'chargeback/du_1/won',
      'chargeback/du_2',
      'chargeback/du_2/lost',
    ]);
  });

  it('that is looked up is reported with what was given back, in the dashboard too', async () => {
    const inDashboard = { ...samples.refund, id: 're_dashboard', amount: 300, metadata: {} };
    const charge = {
      id: 'ch_1',
      disputed: false,
      refunds: { ...samples.refunds, data: [samples.refund, inDashboard] },
    };
    const paid = { ...samples.succeeded, latest_charge: charge };
    const { report, asked } = await exchange('status', { payment: known() }, [[200, paid]]);
    expect(new URL(asked[0]?.url ?? '').searchParams.get('expand[0]')).toBe('latest_charge.refunds');
    expect(report).toMatchObject({
      events: [
        { kind: 'payment', outcome: { status: 'settled' } },
        { kind: 'refund', outcome: { providerReference: samples.refund.id, amount: { text: '10.00' } } },
        { kind: 'refund', outcome: { providerReference: 're_dashboard', amount: { text: '3.00' } } },
      ],
    });
  });

  it('that the payer disputed is looked up with its disputes, under the ids that their webhooks give', async () => {
    const inquiry = { ...samples.dispute, id: 'du_0', status: 'warning_needs_response' };
    const over = { ...samples.dispute, status: 'won' };
    const script = [
      [200, samples.disputed],
      [200, { ...samples.disputes, data: [inquiry, over] }],
    ] as const;
    const { report, asked } = await exchange('status', { payment: known() }, script);
    expect(new URL(asked[1]?.url ?? '').searchParams.get('payment_intent')).toBe(samples.succeeded.id);
    const { events = [] } = report !== undefined && 'events' in report ? report : {};
    expect(events.map((event) => [event.kind, event.kind === 'chargeback' ? event.result : ''])).toEqual([
      ['payment', ''],
      ['chargeback', undefined],
      ['chargeback', 'won'],
    ]);
    expect(events[1]?.id).toBe(samples.dispute.id);
  });

  it('with more refunds than a charge lists has them all listed', async () => {
    const some = { id: 'ch_1', disputed: false, refunds: { ...samples.refunds, has_more: true } };
    const all = Array.from({ length: 12 }, (_, at) => ({ ...samples.refund, id: `re_${at}`, amount: 10 }));
    const script = [
      [200, { ...samples.succeeded, latest_charge: some }],
      [200, { ...samples.refunds, data: all }],
    ] as const;
    const { report } = await exchange('status', { payment: known() }, script);
    const { events = [] } = report !== undefined && 'events' in report ? report : {};
    expect(events.flatMap((event) => (event.kind === 'refund' ? [event.outcome.providerReference] : []))).toEqual(
      all.map(({ id }) => id),
    );
  });
});

describe('a modification', () => {
  const about = { payment: known(), id: CHANGE, amount: usd('4.00'), remaining: usd('10.00') };

  it('that captures a part is the last, so that Stripe lets go of the rest', async () => {
    const part = await exchange('capture', about, [[200, samples.captured]]);
    expect(formOf(part, 0)).toEqual({ amount_to_capture: '400', metadata: { capture: CHANGE } });
    expect((await exchange('capture', about, [[200, samples.held]])).outcome?.status).toBe('unknown');
  });

  it('of another payment is unknown', async () => {
    const other = await exchange('capture', about, [[200, { ...samples.captured, id: 'pi_other' }]]);
    expect(other.outcome?.status).toBe('unknown');
  });

  it('that takes a sale back is a refund: a void of settled money is declined', async () => {
    const sale = await exchange('void', { ...about, held: false }, []);
    expect([sale.outcome, sale.asked]).toMatchObject([{ code: 'not_supported' }, []]);
  });
});

describe('a webhook', () => {
  const eventsOf = (type: string, object: object) => {
    const { result } = received(samples.event(type, object));
    return result.kind === 'events' ? result.events : [];
  };

  it.each([
    ['in a currency that we do not know', { currency: 'qqq', metadata: {} }],
    ['without metadata', { metadata: null }],
    ['without a capture method', { metadata: {}, capture_method: undefined }],
  ])('of another system, %s, is none of ours', (_what, other) => {
    const { result } = received(samples.event('payment_intent.succeeded', { ...samples.succeeded, ...other }));
    expect(result).toMatchObject({ kind: 'events', events: [], unread: [] });
  });

  it('of an endpoint with a version before 2022-11-15 says the same', () => {
    const { latest_charge: _charge, ...older } = samples.succeeded;
    expect(eventsOf('payment_intent.succeeded', older)).toMatchObject([{ outcome: { status: 'settled' } }]);
  });

  it('that the package signed is taken; one that was changed on the way, or is old, is refused by both', () => {
    const event = samples.event('payment_intent.succeeded', samples.succeeded);
    const whole = received(event);
    expect(whole.result).toMatchObject({ kind: 'events', proven: true });
    expect(whole.read()).toMatchObject({ type: 'payment_intent.succeeded' });
    const changed = received(event, (payload) => payload.replace('"amount":1000', '"amount":1'));
    expect(changed.result).toMatchObject({ kind: 'refused' });
    expect(changed.read).toThrow('signature');
    const old = received(event, undefined, 301);
    expect(old.result).toMatchObject({ kind: 'refused' });
    expect(old.read).toThrow('tolerance');
  });

  it.each([
    [
      'payment_intent.succeeded',
      samples.succeeded,
      { kind: 'payment', merchantReference: OURS, outcome: { status: 'settled' } },
    ],
    ['payment_intent.amount_capturable_updated', samples.held, { kind: 'payment', outcome: { status: 'authorized' } }],
    ['payment_intent.payment_failed', samples.failed, { kind: 'payment', outcome: { status: 'declined' } }],
    ['payment_intent.canceled', samples.canceled, { kind: 'hold-expired' }],
    [
      'payment_intent.canceled',
      { ...samples.redirecting, status: 'canceled' },
      { kind: 'payment', outcome: { code: 'cancelled' } },
    ],
    ['refund.created', { ...samples.refund, status: 'pending' }, { kind: 'refund', outcome: { status: 'pending' } }],
    ['refund.failed', { ...samples.refund, status: 'failed' }, { kind: 'refund', outcome: { status: 'declined' } }],
    ['charge.dispute.created', samples.dispute, { kind: 'chargeback' }],
    ['charge.dispute.closed', { ...samples.dispute, status: 'won' }, { kind: 'chargeback', result: 'won' }],
    ['charge.dispute.closed', { ...samples.dispute, status: 'lost' }, { kind: 'chargeback', result: 'lost' }],
  ])('%s of %o', (type, object, event) => {
    expect(eventsOf(type, object)).toMatchObject([event]);
  });

  it('of an inquiry, of a refund without a payment and of other things is about no money here', () => {
    expect(eventsOf('charge.dispute.created', { ...samples.dispute, status: 'warning_needs_response' })).toEqual([]);
    expect(eventsOf('refund.created', { ...samples.refund, payment_intent: null })).toEqual([]);
    expect(eventsOf('charge.succeeded', { id: 'ch_1', object: 'charge', amount: 1000 })).toEqual([]);
  });
});
