import { describe, expect, it } from 'vitest';
import { hubConnector as connector } from '../src/index.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { collectionOf, payoutOf, sessionOf } from './support/sessions.ts';

const key = 'mobile-money';
const settings = { api_key: 'the-secret-key', webhook_secret: 'a-notification-secret' };
const session = sessionOf(key, { mobile_number: '+254712345678' });

const charge = (more: object = {}) => ({
  data: {
    reference: 'chg_1',
    payment_reference: OURS,
    status: 'processing',
    amount: 100.5,
    currency: 'KES',
    auth_model: 'STK_PROMPT',
    message: 'Enter your PIN.',
    expires_at: '2026-11-21T13:02:00+01:00',
    ...more,
  },
});
const WITH_CODE = [201, charge({ auth_model: 'OTP' })] as const;

const purchase = (script: Script, more: object = {}, from: unknown = session, reference = OURS) =>
  exchange(
    { connector, key, settings: { ...settings, ...more }, flow: 'purchase', payment: paymentOf(from, key, reference) },
    script,
  );

describe('a collection', () => {
  it('sends the payer’s number without its plus, under our own reference', async () => {
    const run = purchase([[201, charge()]]);
    expect(await run.drive()).toMatchObject({ kind: 'done' });
    expect(run.lines()).toEqual(['POST /v1/charges/mobile-money']);
    expect(run.asked[0]?.headers.authorization).toBe('Bearer the-secret-key');
    expect(run.asked[0]?.body).toContain('"amount":100.50,');
    expect(run.body(0)).toEqual({
      reference: OURS,
      amount: 100.5,
      currency: 'KES',
      description: 'Two books',
      customer: { email: 'ada@example.com', name: 'Ada Example' },
      mobile_money: { number: '254712345678' },
      merchant_bears_cost: false,
      notification_url: 'https://pay.example/notify/mid-1',
      redirect_url: 'https://pay.example/back',
    });
  });

  it('shows the prompt with a masked number, the provider’s words and its time in UTC', async () => {
    expect(outcomeOf(await purchase([[201, charge()]]).drive())).toEqual({
      status: 'pending',
      providerReference: 'chg_1',
      provider: { status: 'processing' },
      show: {
        kind: 'confirm-on-device',
        channel: 'stk',
        number: '+254 •••••-5678',
        message: 'Enter your PIN.',
        validUntil: '2026-11-21T12:02:00.000Z',
      },
    });
  });

  it.each(['auth_model', 'auth_method'])('reads how it is confirmed from %s', async (name) => {
    const reply = charge({ auth_model: undefined, [name]: 'STK_PROMPT' });
    expect(outcomeOf(await purchase([[201, reply]]).drive())).toMatchObject({ show: { kind: 'confirm-on-device' } });
  });

  it('waits and shows nothing where the provider names an unknown way', async () => {
    const outcome = outcomeOf(await purchase([[201, charge({ auth_model: 'TELEPATHY' })]]).drive());
    expect(outcome).toEqual({ status: 'pending', providerReference: 'chg_1', provider: { status: 'processing' } });
  });

  it('sends the payer to the provider’s page', async () => {
    const reply = charge({ auth_model: 'REDIRECT', redirect_url: 'https://pay.provider.example/chg_1' });
    expect(outcomeOf(await purchase([[201, reply]]).drive())).toMatchObject({
      status: 'pending',
      show: { kind: 'redirect', url: 'https://pay.provider.example/chg_1' },
    });
  });

  it('has a reference of eight characters at least', async () => {
    const run = purchase([[201, charge()]], {}, session, 'a-1');
    await run.drive();
    expect(run.body(0)).toMatchObject({ reference: '00000a-1' });
  });

  it('is at the cost of the merchant where the account says so', async () => {
    const run = purchase([[201, charge()]], { merchant_bears_fees: true });
    await run.drive();
    expect(run.body(0)).toMatchObject({ merchant_bears_cost: true });
  });

  it('in francs is a whole number', async () => {
    const inFrancs = collectionOf(key, { mobile_number: '+2250123456789' }, '1000.00', 'XOF');
    const run = purchase([[201, charge({ amount: 1000, currency: 'XOF' })]], {}, inFrancs);
    await run.drive();
    expect(run.asked[0]?.body).toContain('"amount":1000,');
  });

  it('that the provider refuses is declined, with its reason where it is known', async () => {
    const refused = (code: string) => purchase([[400, { error: { code } }]]).drive();
    expect(outcomeOf(await refused('unknown_subscriber'))).toMatchObject({
      status: 'declined',
      kind: 'hard',
      reason: 'The number has no mobile money account.',
      provider: { code: 'unknown_subscriber' },
    });
    expect(outcomeOf(await refused('maintenance'))).toMatchObject({ reason: 'The provider refused the request.' });
  });

  it('whose reply was lost is looked up by our reference before it is sent again', async () => {
    const run = purchase(['lost', [404, { error: { code: 'not_found' } }], [201, charge()]]);
    expect(await run.drive()).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(outcomeOf(await run.drive())).toMatchObject({ status: 'pending', providerReference: 'chg_1' });
    expect(run.lines()).toEqual([
      'POST /v1/charges/mobile-money',
      `GET /v1/charges/${OURS}`,
      'POST /v1/charges/mobile-money',
    ]);
  });
});

describe('a collection by code', () => {
  const step = (name: string, code: string) => ({ step: name, values: { code } });

  it('asks for the code, and then the phone', async () => {
    const run = purchase([WITH_CODE, [200, charge()]]);
    expect(await run.drive()).toMatchObject({
      kind: 'suspended',
      nextAction: {
        kind: 'collect',
        step: 'code',
        resend: true,
        fields: [{ name: 'code', autocomplete: 'one-time-code' }],
      },
    });
    expect(outcomeOf(await run.drive(step('code', '123456')))).toMatchObject({
      show: { kind: 'confirm-on-device', number: '+254 •••••-5678' },
    });
    expect(run.body(1)).toEqual({ code: '123456' });
  });

  it('asks for the code, and then a page', async () => {
    const page = charge({ auth_model: 'REDIRECT', redirect_url: 'https://pay.provider.example/chg_1' });
    const run = purchase([WITH_CODE, [200, page]]);
    await run.drive();
    expect(outcomeOf(await run.drive(step('code', '123456')))).toMatchObject({ show: { kind: 'redirect' } });
  });

  it('says that a code was wrong, and asks again', async () => {
    const run = purchase([WITH_CODE, [422, { error: { code: 'wrong_code' } }], [200, charge()]]);
    await run.drive();
    expect(await run.drive(step('code', '000000'))).toMatchObject({
      kind: 'suspended',
      nextAction: { step: 'code#2', error: { en: 'This code is not right. Check the last message that you got.' } },
    });
    expect(outcomeOf(await run.drive(step('code#2', '123456')))).toMatchObject({ status: 'pending' });
  });

  it('sends a new code when the payer asks for one, and says where there is none yet', async () => {
    const run = purchase([
      WITH_CODE,
      [200, { data: { status: 'processing' } }],
      [429, { error: { code: 'too_soon' } }],
    ]);
    await run.drive();
    const again = await run.drive({ step: 'code', resend: true });
    expect(again).toMatchObject({ nextAction: { step: 'code#2' } });
    expect(again).not.toHaveProperty('nextAction.error');
    expect(await run.drive({ step: 'code#2', resend: true })).toMatchObject({
      nextAction: { step: 'code#3', error: { en: 'No new code could be sent yet. Wait a moment and try again.' } },
    });
    expect(run.lines().slice(1)).toEqual(Array(2).fill(`POST /v1/charges/${OURS}/code/resend`));
  });

  it('is unknown when the provider has our reference already', async () => {
    const run = purchase([[400, { error: { code: 'duplicate_reference' } }]]);
    expect(outcomeOf(await run.drive())).toMatchObject({
      status: 'unknown',
      provider: { code: 'duplicate_reference' },
    });
  });

  it('is declined after too many codes', async () => {
    const run = purchase([WITH_CODE, [409, { error: { code: 'too_many_codes' } }]]);
    await run.drive();
    expect(outcomeOf(await run.drive(step('code', '111111')))).toMatchObject({ status: 'declined' });
  });

  it.each(['', '12', '12a456', '1234567890123'])('does not send "%s"', async (code) => {
    const run = purchase([WITH_CODE]);
    await run.drive();
    expect(await run.drive(step('code', code))).toMatchObject({ kind: 'suspended', nextAction: { step: 'code' } });
    expect(run.asked).toHaveLength(1);
  });

  it('whose code may have arrived looks first', async () => {
    const run = purchase([WITH_CODE, 'lost', [200, charge({ auth_model: 'OTP' })], [200, charge()]]);
    await run.drive();
    expect(await run.drive(step('code', '123456'))).toMatchObject({ kind: 'interrupted' });
    expect(outcomeOf(await run.drive())).toMatchObject({ status: 'pending' });
    expect(run.lines().slice(1)).toEqual([
      `POST /v1/charges/${OURS}/code`,
      `GET /v1/charges/${OURS}`,
      `POST /v1/charges/${OURS}/code`,
    ]);
  });

  it('whose code has arrived goes on without sending it again', async () => {
    const run = purchase([WITH_CODE, 'lost', [200, charge()]]);
    await run.drive();
    await run.drive(step('code', '123456'));
    expect(outcomeOf(await run.drive())).toMatchObject({ status: 'pending', show: { kind: 'confirm-on-device' } });
    expect(run.asked).toHaveLength(3);
  });
});

describe('what becomes of a collection', () => {
  const look = (reply: object, providerReference?: string) =>
    exchange({ connector, key, settings, flow: 'status', payment: lookedUp(session, key, providerReference) }, [
      [200, reply],
    ]);

  it.each([
    ['success', undefined, { status: 'settled', amount: { text: '100.50', currency: 'KES' } }],
    ['processing', undefined, { status: 'pending' }],
    ['failed', undefined, { status: 'declined', kind: 'soft', reason: 'The payment failed.' }],
    ['failed', 'insufficient_funds', { kind: 'soft', code: 'insufficient_funds' }],
    ['failed', 'wrong_pin', { reason: 'The PIN was wrong.' }],
    [
      'failed',
      'unknown_subscriber',
      { kind: 'hard', code: 'account_not_found', reason: 'The number has no mobile money account.' },
    ],
    ['failed', 'E77', { kind: 'soft', reason: 'The payment failed.', provider: { code: 'E77' } }],
    [
      'cancelled',
      undefined,
      { kind: 'soft', code: 'cancelled_by_payer', reason: 'The request was cancelled on the phone.' },
    ],
    ['rejected', undefined, { kind: 'hard' }],
    ['SUCCESS', undefined, { status: 'unknown' }],
    ['frozen', 'insufficient_funds', { status: 'unknown' }],
  ])('is told by %s and %s', async (status, failure_code, expected) => {
    expect(outcomeOf(await look(charge({ status, failure_code }), 'chg_1').drive())).toMatchObject(expected);
  });

  it('is looked up once before a time-out on the phone declines it', async () => {
    const timedOut = charge({ status: 'timed_out' });
    expect(outcomeOf(await purchase([[201, timedOut]]).drive())).toMatchObject({
      status: 'unknown',
      providerReference: 'chg_1',
    });
    expect(outcomeOf(await look(timedOut, 'chg_1').drive())).toEqual({
      status: 'declined',
      kind: 'soft',
      code: 'timed_out',
      reason: 'The request was not confirmed on the phone in time.',
      providerReference: 'chg_1',
      provider: { status: 'timed_out' },
    });
  });

  it('is what the provider says was paid, fees included', async () => {
    expect(outcomeOf(await look(charge({ status: 'success', amount: '103.25' }), 'chg_1').drive())).toMatchObject({
      amount: { text: '103.25' },
    });
  });

  it.each(['purchase', 'status'] as const)('is unknown where the reply to %s is of another payment', async (flow) => {
    const other = charge({ payment_reference: 'another-payment', status: 'success' });
    const payment = lookedUp(session, key);
    const run = exchange({ connector, key, settings, flow, payment }, [[200, other]]);
    expect(outcomeOf(await run.drive())).toEqual({
      status: 'unknown',
      why: 'The provider’s reply refers to a different payment.',
    });
  });

  it('shows the prompt again only where the first reply was lost', async () => {
    expect(outcomeOf(await look(charge()).drive())).toMatchObject({ show: { kind: 'confirm-on-device' } });
    expect(outcomeOf(await look(charge(), 'chg_1').drive())).not.toHaveProperty('show');
  });

  it('is unknown while the provider does not know it', async () => {
    const run = exchange({ connector, key, settings, flow: 'status', payment: lookedUp(session, key) }, [
      [404, { error: { code: 'not_found' } }],
    ]);
    expect(outcomeOf(await run.drive())).toMatchObject({ status: 'unknown' });
  });
});

describe('a payout', () => {
  const paid = (more: object = {}) => ({
    data: {
      reference: 'out_1',
      payment_reference: OURS,
      status: 'processing',
      amount: 100.5,
      currency: 'KES',
      ...more,
    },
  });
  const pay = (script: Script, parameters: Readonly<Record<string, unknown>> = {}) =>
    exchange({ connector, key, settings, flow: 'credit', payment: paymentOf(payoutOf(parameters), key) }, script);

  it('sends every parameter, the number without its plus', async () => {
    const run = pay([[201, paid()]], { customer_name: 'Ada B.', mobile_number: '+254712345678' });
    expect(outcomeOf(await run.drive())).toMatchObject({ status: 'pending', providerReference: 'out_1' });
    expect(run.body(0)).toEqual({
      reference: OURS,
      amount: 100.5,
      currency: 'KES',
      narration: 'Two books',
      mobile_money: { operator: 'safaricom-ke', mobile_number: '254712345678' },
      customer: { email: 'ada@example.com', name: 'Ada B.' },
      payee: { email: 'payee@example.com', name: 'Ada Lovelace' },
      notification_url: 'https://pay.example/notify/mid-1',
    });
  });

  it('goes to the payee by name where no other is given', async () => {
    const run = pay([[201, paid()]]);
    await run.drive();
    expect(run.body(0)).toMatchObject({ customer: { name: 'Ada Lovelace' } });
  });

  it('whose reply was lost is not sent again once the provider knows it', async () => {
    const run = pay(['lost', [200, paid({ status: 'success' })]]);
    expect(await run.drive()).toMatchObject({ kind: 'interrupted', mayHaveMoved: true });
    expect(outcomeOf(await run.drive())).toMatchObject({ status: 'settled', providerReference: 'out_1' });
    expect(run.lines()).toEqual(['POST /v1/payouts/mobile-money', `GET /v1/payouts/${OURS}`]);
  });

  it('is not declined by a time-out, also where it is looked up: no payer has to confirm it', async () => {
    const payment = lookedUp(payoutOf(), key, 'out_1');
    const run = exchange({ connector, key, settings, flow: 'status', payment }, [[200, paid({ status: 'timed_out' })]]);
    expect(outcomeOf(await run.drive())).toMatchObject({ status: 'unknown' });
  });

  it('that the provider refuses is declined', async () => {
    expect(outcomeOf(await pay([[402, { error: { code: 'balance_too_low' } }]]).drive())).toMatchObject({
      status: 'declined',
    });
  });
});
