import { fieldInfo } from '@railyard/core/registry';
import { describe, expect, it } from 'vitest';
import { linkPayoutConnector as connector } from '../src/index.ts';
import { sampleAbsent, samplePayout } from '../src/link-payout.samples.ts';
import { linkPayout } from '../src/methods.ts';
import { edgesOf } from './support/edges.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { answer, sessionOf } from './support/sessions.ts';

const key = 'link-payout';
const parameters = { SecurityQuestion: 'Where did we meet first?', SecurityQuestionAnswer: 'At the sea' };
const good = {
  key,
  parameters,
  session: {
    operation: 'credit',
    order: { number: 'order-1', amount: '10.50', currency: 'CAD', description: 'Two books' },
    customer: { name: 'Ana Horvat', email: 'ana@example.com' },
    payee: { name: 'Ivo Novak' },
  },
};
const account_uuid = '5d1b7f0e-2c64-4f7a-9e3d-8a40c1b2d3e4';
const settings = { api_key: 'the-api-key', webhook_secret: 'a-secret-that-signs', account_uuid };
const session = (more: object = {}) => sessionOf(key, parameters, { ...good.session, ...more });
const long = (length: number) => 'x'.repeat(length);
const address = (length: number) => `${long(length - '@example.com'.length)}@example.com`;

describe('what a session may send', () => {
  edgesOf(good, [
    ['parameters.SecurityQuestion', [long(10), long(40)], [undefined, null, '', long(9), long(41), 7]],
    ['parameters.SecurityQuestionAnswer', ['abc', 'a b c', long(40)], [undefined, null, '', 'ab', long(41), 7]],
    ['parameters.surprise', [], ['x']],
    [
      'customer.name',
      ['A B', `${'A'.repeat(30)} ${'B'.repeat(29)}`],
      [undefined, '', 'Ana', `${'A'.repeat(30)} ${'B'.repeat(30)}`, 7],
    ],
    // No address is as short as the 2 characters of the protocol.
    ['customer.email', ['a@b.hr', address(60)], [undefined, '', 'a', 'a@', 'ana', address(61), 7]],
    ['order.description', [long(5), long(200)], ['', 'x', long(4), long(201), 7]],
  ]);

  it('is for payouts alone, in any currency and country', () => {
    expect(answer(session({ operation: 'purchase' }))).toContainEqual(expect.stringContaining('methods: '));
    expect(answer(session({ order: { ...good.session.order, currency: 'EUR' } }))).toEqual([]);
    expect(answer(session({ payee_billing_address: { country: 'SE' } }))).toEqual([]);
  });
});

const sending = (script: Script, account: Readonly<Record<string, unknown>> = settings) =>
  exchange({ connector, key, flow: 'credit', payment: paymentOf(session(), key), settings: account }, script);

describe('a payout', () => {
  it.each([undefined, 'account_level', 'transaction_level'])(
    'is made from the account, with its fees calculated as the account says: %s',
    async (fee_calculation) => {
      const made = sending([[201, samplePayout]], { ...settings, ...(fee_calculation && { fee_calculation }) });
      expect(outcomeOf(await made.drive())).toMatchObject({ status: 'pending', providerReference: 'lp_20d4' });
      expect(made.body(0)).toMatchObject({ account_uuid, fee_calculation: fee_calculation ?? 'account_level' });
    },
  );

  it('leaves its answer in no line of the log, and shows it nowhere', async () => {
    const { SecurityQuestionAnswer, SecurityQuestion } = linkPayout.operations.credit.parameters.shape;
    expect(fieldInfo(SecurityQuestionAnswer, '').secret).toBe(true);
    expect(fieldInfo(SecurityQuestion, '').secret).toBeUndefined();
    const made = sending([[201, samplePayout]]);
    await made.drive();
    expect(made.body(0)).toMatchObject({ security: { answer: 'At the sea' } });
    expect(made.left()).not.toContain('At the sea');
  });

  it('whose reply was lost is looked up, and sent again only where the provider does not know it', async () => {
    const known = sending(['lost', [200, { ...samplePayout, status: 'taken' }]]);
    await known.drive();
    expect(outcomeOf(await known.drive())).toMatchObject({ status: 'settled', amount: { text: '10.50' } });
    expect(known.lines()).toEqual(['POST /payouts', `GET /payouts/by-reference/${OURS}`]);
    const missed = sending(['lost', [404, sampleAbsent], [201, samplePayout]]);
    await missed.drive();
    await missed.drive();
    expect(missed.lines()).toEqual(['POST /payouts', `GET /payouts/by-reference/${OURS}`, 'POST /payouts']);
    expect(missed.body(2)).toEqual(missed.body(0));
  });
});

it('refuses an account that is no UUID, and another way to calculate fees', () => {
  const base_url = 'https://api.example';
  expect(connector.settings.safeParse({ base_url, ...settings }).success).toBe(true);
  for (const wrong of [{ account_uuid: 'account-1' }, { account_uuid: undefined }, { fee_calculation: 'per_day' }])
    expect(connector.settings.safeParse({ base_url, ...settings, ...wrong }).success).toBe(false);
});

it('a lookup of another payout settles nothing', async () => {
  const other = { ...samplePayout, payout_id: 'lp_0', status: 'taken' };
  const payment = lookedUp(session(), key, 'lp_20d4');
  const looked = exchange({ connector, key, flow: 'status', payment, settings }, [[200, other]]);
  expect(outcomeOf(await looked.drive())).toMatchObject({ status: 'unknown' });
});
