import { describe, expect, it } from 'vitest';
import * as samples from '../src/adyen.samples.ts';
import {
  arrived,
  CHANGE,
  exchange,
  genuine,
  known,
  OURS,
  PSP,
  purchase,
  received,
  usd,
} from './support/adyen-exchange.ts';
import { visa } from './support/rig.ts';

const ok = [200, samples.authorised] as const;
const bodyOf = ({ asked }: Awaited<ReturnType<typeof exchange>>, at = 0): unknown => JSON.parse(asked[at]?.body ?? '');
const refusedBy = async (refusalReasonCode: string) =>
  (await purchase({}, [[200, { ...samples.refused, refusalReasonCode }]])).outcome;

describe('a payment', () => {
  it('is taken at once, or held until it is captured; the reference says which', async () => {
    const sale = await purchase({}, [ok]);
    expect(bodyOf(sale)).toMatchObject({ reference: OURS, captureDelayHours: 0 });
    expect(sale.outcome).toMatchObject({
      status: 'settled',
      amount: { text: '10.00' },
      facts: { approval_code: '044925' },
    });
    const hold = await purchase({ session: { auth: true } }, [
      [200, { ...samples.authorised, merchantReference: `hold-${OURS}` }],
    ]);
    expect(bodyOf(hold)).toMatchObject({ reference: `hold-${OURS}`, additionalData: { manualCapture: 'true' } });
    expect(bodyOf(hold)).not.toHaveProperty('captureDelayHours');
    expect(hold.outcome).toMatchObject({ status: 'authorized' });
  });

  it('by a co-branded card names the network that its payer chose, and by another card none', async () => {
    const paidBy = async (card: object) => bodyOf(await purchase({ card: visa('03/30', card) }, [ok]));
    const chosen = await paidBy({ brand: 'dankort', coBranded: true });
    expect(chosen).toMatchObject({ paymentMethod: { type: 'scheme', brand: 'dankort' } });
    expect(await paidBy({ brand: 'visa' })).not.toHaveProperty('paymentMethod.brand');
  });

  it('of another reference is unknown', async () => {
    expect((await purchase({}, [[200, { ...samples.authorised, merchantReference: 'another' }]])).outcome?.status).toBe(
      'unknown',
    );
  });

  it('is declined by the code of its refusal, softly where the code is not mapped', async () => {
    expect(await refusedBy('6')).toMatchObject({ status: 'declined', kind: 'hard', code: 'card_expired' });
    expect(await refusedBy('12')).toMatchObject({ status: 'declined', kind: 'soft', code: 'insufficient_funds' });
    expect(await refusedBy('24')).toMatchObject({ status: 'declined', kind: 'soft', code: 'card_not_valid' });
    expect(await refusedBy('25')).toMatchObject({ status: 'declined', kind: 'hard', code: 'card_declined' });
    expect(await refusedBy('28')).toMatchObject({ status: 'declined', kind: 'soft', code: 'limit_exceeded' });
    expect(await refusedBy('38')).toMatchObject({ status: 'declined', kind: 'soft', code: 'authentication_failed' });
    expect(await refusedBy('99')).toMatchObject({ status: 'declined', kind: 'soft', code: 'card_declined' });
  });

  it('that waits for native 3-D Secure, which no page shows, is unknown', async () => {
    const { outcome } = await purchase({}, [[200, { resultCode: 'ChallengeShopper', action: { type: 'threeDS2' } }]]);
    expect(outcome).toMatchObject({ status: 'unknown', provider: { status: 'ChallengeShopper' } });
  });

  it('is refused before anything is sent where a parameter would be dropped, or its currency has no such cents', async () => {
    const dropped = await purchase({ parameters: { cart: { items: [{ name: 'Hat' }] } } }, []);
    expect([dropped.outcome?.status, dropped.asked]).toEqual(['declined', []]);
    const order = { number: 'order-1', amount: '10.50', currency: 'IDR', description: 'Two books' };
    const cents = await purchase({ session: { order } }, []);
    expect([cents.outcome, cents.asked]).toMatchObject([{ status: 'declined', code: 'amount_not_accepted' }, []]);
  });

  it.each([
    ['CLP', '10', 1000],
    ['IDR', '10.00', 10],
    ['JPY', '10', 10],
    ['BHD', '10.000', 10_000],
  ])('in %s of %s is asked for as %d', async (currency, amount, value) => {
    const order = { number: 'order-1', amount, currency, description: 'Two books' };
    expect(bodyOf(await purchase({ session: { order } }, [ok]))).toMatchObject({ amount: { currency, value } });
  });

  it('goes on with what the payer brings back, and waits for the webhook where that is refused', async () => {
    const done = await purchase({}, [[200, samples.redirectShopper], ok]);
    expect(bodyOf(done, 1)).toEqual({ details: { redirectResult: 'X6XtfGC3!Y' } });
    expect(done.outcome).toMatchObject({ status: 'settled', providerReference: PSP });
    const late = await purchase({}, [
      [200, samples.redirectShopper],
      [422, samples.problem],
    ]);
    expect(late.outcome).toMatchObject({ status: 'pending', providerReference: samples.redirectShopper.pspReference });
  });

  it('keeps the token of a mandate, with which later charges are made', async () => {
    const first = await purchase({ session: { recurring_init: true } }, [[200, samples.tokenized]]);
    expect(bodyOf(first)).toMatchObject({ storePaymentMethod: true, shopperReference: OURS });
    expect(first.outcome).toMatchObject({
      agreement: { storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: OURS },
    });
    const without = { payment: { ...known(), auth: false }, initial: { ...known(), agreement: {} } };
    expect((await exchange('recurring', without, [])).outcome).toMatchObject({ code: 'not_supported' });
  });

  it('of a saved card says that the payer returned', async () => {
    const saved = await purchase({ cardOnFile: true, card: visa('03/30', { stored: true }) }, [ok]);
    expect(bodyOf(saved)).toMatchObject({ shopperInteraction: 'ContAuth', recurringProcessingModel: 'CardOnFile' });
  });
});

describe('a webhook', () => {
  const eventsOf = (item: object) => {
    const result = received(samples.notification({ pspReference: PSP, ...item }));
    return result.kind === 'events' ? result.events : [];
  };
  const change = { pspReference: 'CHANGE1', originalReference: PSP, merchantReference: CHANGE };

  it('that the library of Adyen signed is taken; one that was changed on the way is not', () => {
    const body = samples.notification({ eventCode: 'AUTHORISATION', pspReference: PSP });
    expect(received(body)).toMatchObject({ kind: 'events', proven: true });
    for (const other of [
      { success: 'false' },
      { pspReference: 'X' },
      { amount: { currency: 'USD', value: 1 } },
      { merchantReference: 'X' },
    ])
      expect(received(body, other)).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  const report = {
    NotificationRequestItem: {
      amount: { currency: 'EUR', value: 0 },
      eventCode: 'REPORT_AVAILABLE',
      merchantAccountCode: 'ExampleShopECOM',
      merchantReference: '',
      pspReference: 'settlement_detail_report_batch_1.csv',
      success: 'true',
    },
  };
  const sent = (...notificationItems: readonly object[]) => arrived({ live: 'false', notificationItems });

  it('about a report, which Adyen does not sign, is acknowledged and worth nothing', () => {
    expect(sent(report)).toMatchObject({ kind: 'events', events: [], unread: [], genuine: false });
  });

  it('about money is refused without a signature, alone and beside a report', () => {
    const items = samples.notification({ eventCode: 'AUTHORISATION', pspReference: PSP }).notificationItems;
    expect(sent(...items)).toMatchObject({ kind: 'refused', why: 'signature' });
    expect(sent(report, ...items)).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  it('without fields that Adyen signs as empty texts is genuine, and kept for an operator', () => {
    const body = samples.notification({ eventCode: 'AUTHORISATION', pspReference: PSP, merchantReference: OURS });
    const amount = { currency: undefined, value: undefined };
    for (const absent of [{ merchantAccountCode: undefined }, { success: undefined }, { amount }])
      expect(arrived(genuine(body, absent))).toMatchObject({ kind: 'events', genuine: true });
    expect(arrived(genuine(body, { amount }))).toMatchObject({ events: [], unread: [expect.any(String)] });
  });

  it('is applied beside an entry without anything, which is kept for an operator', () => {
    const { notificationItems } = genuine(samples.notification({ eventCode: 'AUTHORISATION', pspReference: PSP }));
    expect(sent({}, ...notificationItems)).toMatchObject({
      events: [{ providerReference: PSP }],
      unread: [expect.stringContaining('Part 1 of 2')],
      genuine: true,
    });
    expect(sent({})).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  it('of another system in a currency that we do not know is none of ours; of ours it is kept for an operator', () => {
    const amount = { currency: 'QQQ', value: 1000 };
    const item = { eventCode: 'AUTHORISATION', pspReference: PSP, amount };
    expect(received(samples.notification({ ...item, merchantReference: 'order 7' }))).toMatchObject({
      events: [],
      unread: [],
    });
    expect(received(samples.notification({ ...item, merchantReference: OURS }))).toMatchObject({
      events: [],
      unread: [expect.any(String)],
    });
  });

  it('says of a sale and of a hold what they are', () => {
    expect(eventsOf({ eventCode: 'AUTHORISATION', merchantReference: OURS })).toMatchObject([
      { kind: 'payment', providerReference: PSP, merchantReference: OURS, outcome: { status: 'settled' } },
    ]);
    expect(eventsOf({ eventCode: 'AUTHORISATION', merchantReference: `hold-${OURS}` })).toMatchObject([
      { kind: 'payment', merchantReference: OURS, outcome: { status: 'authorized' } },
    ]);
    expect(eventsOf({ eventCode: 'AUTHORISATION', success: 'false' })).toMatchObject([
      { outcome: { status: 'declined' } },
    ]);
  });

  it.each([
    ['CAPTURE', 'true', 'capture', 'settled'],
    ['CAPTURE', 'false', 'capture', 'declined'],
    ['CAPTURE_FAILED', 'true', 'capture', 'declined'],
    ['REFUND', 'true', 'refund', 'settled'],
    ['REFUND', 'false', 'refund', 'declined'],
    ['REFUND_FAILED', 'true', 'refund', 'declined'],
    ['REFUNDED_REVERSED', 'true', 'refund', 'declined'],
    ['CANCELLATION', 'true', 'void', 'settled'],
    ['CANCEL_OR_REFUND', 'false', 'void', 'declined'],
  ])('%s with success %s is a %s that is %s', (eventCode, success, kind, status) => {
    expect(eventsOf({ ...change, eventCode, success })).toMatchObject([
      { kind, providerReference: PSP, outcome: { status, providerReference: 'CHANGE1' } },
    ]);
  });

  it('of a dispute or of a hold that ran out is about the payment; of other things it is none', () => {
    expect(eventsOf({ ...change, eventCode: 'CHARGEBACK' })).toMatchObject([
      { kind: 'chargeback', providerReference: PSP },
    ]);
    expect(eventsOf({ ...change, eventCode: 'CHARGEBACK_REVERSED' })).toMatchObject([
      { kind: 'chargeback', result: 'won' },
    ]);
    expect(eventsOf({ ...change, eventCode: 'SECOND_CHARGEBACK' })).toMatchObject([
      { kind: 'chargeback', providerReference: PSP },
    ]);
    expect(eventsOf({ ...change, eventCode: 'PREARBITRATION_LOST' })).toMatchObject([
      { kind: 'chargeback', result: 'lost' },
    ]);
    expect(eventsOf({ eventCode: 'EXPIRE' })).toMatchObject([{ kind: 'hold-expired', providerReference: PSP }]);
    expect(eventsOf({ eventCode: 'REPORT_AVAILABLE' })).toEqual([]);
  });
});

it('a modification is taken, and pending until its webhook; one of another payment is unknown', async () => {
  const about = { payment: known(), id: CHANGE, amount: usd('4.00'), remaining: usd('10.00') };
  const taken = await exchange('refund', about, [[201, samples.acceptedAmount]]);
  expect(taken.outcome).toMatchObject({ status: 'pending', providerReference: samples.acceptedAmount.pspReference });
  const other = await exchange('refund', about, [[201, { ...samples.acceptedAmount, paymentPspReference: 'X' }]]);
  expect(other.outcome?.status).toBe('unknown');
});
