import type { FlowName } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { bankCollectionConnector as connector } from '../src/index.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { sessionOf } from './support/sessions.ts';

const words = { merchantType: 'RETAIL', merchantName: 'Shop', accountId: 'acc-1' };
const settings = { api_key: 'the-key', expiry_hours: 72, pull_minutes: 15 };
const made = { id: 'c-1', reference: OURS, status: 'CREATED', amount: 10, currency: 'ARS' };
const inSoles = { order: { number: 'order-1', amount: '10.00', currency: 'PEN', description: 'Two books' } };

/** A purchase, driven until it waits for the payer or ends. */
function buying(key: string, parameters: object, script: Script, more: object = {}) {
  const payment = paymentOf(sessionOf(key, { ...words, ...parameters }, more), key);
  return exchange({ connector, key, flow: 'purchase', payment, settings }, script);
}

describe('the time to pay', () => {
  const taxId = { clientTaxId: '20055361682' };

  it('of a transfer is days, and of a debit minutes, unless the request says it', async () => {
    const transfer = buying('bank-offline-ar', taxId, [[201, made]]);
    await transfer.drive();
    expect(transfer.body(0)).toMatchObject({ expiryDate: '2026-11-24T12:00:00.000Z' });
    const debit = buying('debin', { bankDetails: { alias: 'mesa.rio.luna' } }, [[201, made]]);
    await debit.drive();
    expect(debit.body(0)).toMatchObject({ expiryDate: '2026-11-21T12:15:00.000Z' });
    const said = buying('bank-offline-ar', { ...taxId, expiryDate: '2026-11-21T13:00:00Z' }, [[201, made]]);
    await said.drive();
    expect(said.body(0)).toMatchObject({ expiryDate: '2026-11-21T13:00:00Z' });
  });

  it('that is over declines the payment before the provider is asked', async () => {
    const over = buying('bank-offline-ar', { ...taxId, expiryDate: '2026-11-21T12:00:00Z' }, []);
    expect(outcomeOf(await over.drive())).toMatchObject({ status: 'declined', kind: 'hard', code: 'expired' });
    expect(over.asked).toEqual([]);
  });
});

it('leads back from the widget to the page of the merchant who wants it', async () => {
  const back = { clientTaxId: '12345678', redirectUrl: 'https://shop.example/back' };
  const shop = buying('bank-offline-ar', back, [[201, made]]);
  await shop.drive();
  expect(shop.body(0)).toMatchObject({ redirectUrl: 'https://shop.example/back', clientTaxId: '12345678' });
});

describe('a debit', () => {
  it.each([
    ['2850590940090418135201', { cbu: '2850590940090418135201' }],
    ['mesa.rio.luna', { alias: 'mesa.rio.luna' }],
  ])('asks the payer for the account and names it: %s', async (account, bankDetails) => {
    const debit = buying('debin', {}, [[201, made]]);
    expect(await debit.drive()).toMatchObject({ kind: 'suspended', nextAction: { kind: 'collect', step: 'account' } });
    await debit.drive({ step: 'account', values: { account } });
    expect(debit.body(0)).toMatchObject({ market: 'AR', type: 'PULL', bankDetails });
  });
});

describe('a pull from a wallet', () => {
  const wrong: Script[number] = [422, { code: 'OTP_NOT_VALID', message: 'The code is not right.' }];
  const code = (otp: string) => ({ step: 'code', values: { otp } });

  it('asks for phone and code, or for the code of a phone that was sent', async () => {
    const neither = buying('mobile-pull-pe', {}, [], inSoles);
    expect(await neither.drive()).toMatchObject({ nextAction: { fields: [{ name: 'phoneNumber' }, { name: 'otp' }] } });
    const phone = buying('mobile-pull-pe', { bankDetails: { phoneNumber: '+51987654321' } }, [], inSoles);
    expect(await phone.drive()).toMatchObject({ nextAction: { fields: [{ name: 'otp' }] } });
  });

  it('asks for another code where one was wrong', async () => {
    const bankDetails = { phoneNumber: '+51987654321', otp: '111111' };
    const paid: Script[number] = [201, { ...made, currency: 'PEN', status: 'PAID' }];
    const pull = buying('mobile-pull-pe', { bankDetails }, [wrong, paid], inSoles);
    expect(await pull.drive()).toMatchObject({ nextAction: { error: { en: 'This code is not right, or too old.' } } });
    expect(outcomeOf(await pull.drive(code('222222')))).toMatchObject({ status: 'settled' });
    expect([pull.body(0), pull.body(1)]).toMatchObject([
      { bankDetails: { phoneNumber: '+51987654321', otp: '111111' } },
      { bankDetails: { phoneNumber: '+51987654321', otp: '222222' } },
    ]);
    const keys = pull.asked.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  it('ends with the fourth code that is wrong', async () => {
    const pull = buying(
      'mobile-pull-pe',
      { bankDetails: { phoneNumber: '+51987654321', otp: '1111' } },
      [wrong, wrong, wrong, wrong],
      inSoles,
    );
    await pull.drive();
    await pull.drive(code('2222'));
    await pull.drive({ step: 'code#2', values: { otp: '3333' } });
    expect(outcomeOf(await pull.drive({ step: 'code#3', values: { otp: '4444' } }))).toMatchObject({
      status: 'declined',
      kind: 'soft',
      code: 'authentication_failed',
    });
  });
});

describe('a lookup', () => {
  const session = sessionOf('bank-offline-ar', { ...words, clientTaxId: '12345678' });
  const account = { bank: 'Banco', holder: 'Shop', number: '2850590940090418135201' };
  const look = (flow: FlowName, reference: string | undefined, body: object) =>
    exchange(
      { connector, key: 'bank-offline-ar', flow, payment: lookedUp(session, 'bank-offline-ar', reference), settings },
      [[200, body]],
    );

  it('shows the account where the reply that had it was lost, and leaves it alone elsewhere', async () => {
    const lost = look('status', undefined, { ...made, bankAccount: account });
    expect(outcomeOf(await lost.drive())).toMatchObject({ show: { kind: 'payment-details' } });
    expect(lost.lines()).toEqual([`GET /collections/by-reference/${OURS}`]);
    const known = look('status', 'c-1', { ...made, bankAccount: account });
    expect(outcomeOf(await known.drive())).not.toHaveProperty('show');
    expect(known.lines()).toEqual(['GET /collections/c-1']);
  });

  it('of another collection settles nothing', async () => {
    const other = look('status', 'c-1', { ...made, id: 'c-2', status: 'PAID' });
    expect(outcomeOf(await other.drive())).toMatchObject({ status: 'unknown' });
  });
});

it('takes a notification for a hint', () => {
  expect(connector.notifications?.verify).toEqual({ scheme: 'unsigned', confirm: 'status' });
  const body = { collection: { ...made, status: 'PAID' } };
  expect(connector.notifications?.events(body, { settings: {}, raw: {} as never })).toMatchObject([
    { id: 'c-1/PAID', providerReference: 'c-1', merchantReference: OURS, outcome: { status: 'settled' } },
  ]);
});
