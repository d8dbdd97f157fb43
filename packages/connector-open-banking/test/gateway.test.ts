import { readBody } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { gatewayConnector as connector } from '../src/index.ts';
import { splitName } from '../src/split-name.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { sessionOf } from './support/sessions.ts';

const key = 'online-bank-transfer';
const settings = { merchant_id: 'shop-1', api_key: 'the-api-key', webhook_secret: 'a-notification-secret' };
const PAGE = 'https://gateway.example/pay/tr_1';
const transaction = (more: object = {}) => ({
  transaction_id: 'tr_1',
  merchant_reference: OURS,
  status: 'NEW',
  amount: '10.00',
  currency: 'GBP',
  ...more,
});
const opened = [201, transaction({ redirect_url: PAGE })] as const;
const sessionBy = (name: string) => sessionOf(key, {}, { customer: { name } });
const purchase = (script: Script, name = 'Ada Example') =>
  exchange({ connector, key, settings, flow: 'purchase', payment: paymentOf(sessionBy(name), key) }, script);
const sent = async (name: string) => {
  const run = purchase([opened], name);
  await run.drive();
  return readBody(run.asked[0]?.body ?? '', 'form');
};
const back = { step: 'visit', values: { transaction_id: 'tr_1' } };

describe('a transaction', () => {
  it('goes by way of the gateway, which offers bank transfer alone', async () => {
    const run = purchase([opened, [200, transaction({ status: 'PAID' })]]);
    expect(await run.drive()).toMatchObject({ nextAction: { kind: 'visit', url: PAGE, reference: 'tr_1' } });
    expect(readBody(run.asked[0]?.body ?? '', 'form')).toEqual({
      merchant_reference: OURS,
      amount: '10.00',
      currency: 'GBP',
      description: 'Two books',
      firstname: 'Ada',
      lastname: 'Example',
      return_url: 'https://pay.example/back',
      notify_url: 'https://pay.example/notify/mid-1',
      payment_methods: 'OBT',
    });
    expect(run.asked[0]?.headers).toMatchObject({ 'x-merchant-id': 'shop-1', 'x-api-key': 'the-api-key' });
    expect(outcomeOf(await run.drive(back))).toMatchObject({ status: 'settled', amount: { text: '10.00' } });
    expect(run.lines()).toEqual(['POST /transactions', 'GET /transactions/tr_1']);
  });

  it.each([
    ['Ada Example', 'Ada', 'Example'],
    ['Ada King Lovelace', 'Ada King', 'Lovelace'],
    ['Sokrates', 'Sokrates', 'Sokrates'],
    ['Ada  Example ', 'Ada', 'Example'],
    ["Conan O'Brien-Smith", 'Conan', "O'Brien-Smith"],
  ])('of %s names %s and %s', async (name, firstname, lastname) => {
    expect(await sent(name)).toMatchObject({ firstname, lastname });
    expect(splitName(name)).toEqual({ first: firstname, last: lastname });
  });

  it('is looked up after a lost reply, and never opened twice', async () => {
    const run = purchase(['lost', [200, transaction({ redirect_url: PAGE })]]);
    await run.drive();
    expect(await run.drive()).toMatchObject({ nextAction: { kind: 'visit', url: PAGE } });
    expect(run.lines()).toEqual(['POST /transactions', `GET /transactions/by-reference/${OURS}`]);
  });

  it('that the gateway refuses is declined for good, in the gateway’s code', async () => {
    const refused = purchase([[422, { error_code: 'CURRENCY_NOT_ENABLED', error_message: 'GBP' }]]);
    expect(outcomeOf(await refused.drive())).toEqual({
      status: 'declined',
      kind: 'hard',
      code: 'declined_by_provider',
      reason: 'The provider refused the request.',
      provider: { code: 'CURRENCY_NOT_ENABLED' },
    });
  });

  it('whose reference the gateway has already is unknown', async () => {
    const refused = purchase([[422, { error_code: 'DUPLICATE_REFERENCE' }]]);
    expect(outcomeOf(await refused.drive())).toMatchObject({ status: 'unknown' });
  });

  it('of another reference says nothing about this one', async () => {
    const other = transaction({ merchant_reference: 'another-payment', status: 'PAID' });
    expect(outcomeOf(await purchase([[201, other]]).drive())).toMatchObject({ status: 'unknown' });
  });
});

describe('a lookup', () => {
  const look = (reply: object, providerReference?: string, status = 200) =>
    exchange(
      { connector, key, settings, flow: 'status', payment: lookedUp(sessionBy('Ada'), key, providerReference) },
      [[status, reply]],
    );

  it.each([
    ['NEW', { status: 'pending' }],
    ['REDIRECTED', { status: 'pending' }],
    ['PROCESSING', { status: 'pending' }],
    ['PAID', { status: 'settled' }],
    ['FAILED', { status: 'declined', kind: 'soft' }],
    ['CANCELLED', { status: 'declined', kind: 'soft' }],
    ['EXPIRED', { status: 'declined', kind: 'soft' }],
    ['BLOCKED', { status: 'declined', kind: 'hard' }],
    ['REVIEW', { status: 'unknown' }],
  ])('reads %s', async (status, expected) => {
    expect(outcomeOf(await look(transaction({ status }), 'tr_1').drive())).toMatchObject(expected);
  });

  it('by our reference shows the way to the bank', async () => {
    const run = look(transaction({ redirect_url: PAGE }));
    expect(outcomeOf(await run.drive())).toMatchObject({ show: { kind: 'redirect', url: PAGE } });
    expect(run.lines()).toEqual([`GET /transactions/by-reference/${OURS}`]);
  });

  it('never takes "not found" for a decline', async () => {
    const none = await look({ error_code: 'UNKNOWN_TRANSACTION' }, 'tr_1', 404).drive();
    expect(outcomeOf(none)).toMatchObject({ status: 'unknown' });
  });
});
