import { describe, expect, it } from 'vitest';
import type { Parameters } from '../../core/test/support/session-of.ts';
import { bankGatewayConnector as connector } from '../src/index.ts';
import { exchange, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { sessionOf } from './support/sessions.ts';

const key = 'bank-beneficiary';
const settings = { token: 'the-token', signing_secret: 'a-secret-that-signs' };
const details = { name: 'Example Shop', account: '1234567890' };
const open = { transfer_id: 'bt-1', our_id: OURS, state: 'opened', amount: '10.00', currency: 'ARS' };
const done = { ...open, state: 'done' };
const wantsBeneficiary = { ...open, next: { kind: 'beneficiary' } };
const wantsAccount = {
  ...open,
  next: {
    kind: 'account',
    accounts: [
      { id: 'a-1', name: 'Current' },
      { id: 'a-2', name: 'Savings' },
    ],
  },
};
const wantsCode = (challenge: string) => ({ ...open, next: { kind: 'code', challenge } });
const wrong: Script[number] = [422, { code: 'not_right' }];

const code = (step: string, value: string) => ({ step, values: { code: value } });

/** A purchase, driven until it waits for the payer or ends. */
const paying = (script: Script, parameters: Parameters = {}) =>
  exchange({ connector, key, flow: 'purchase', payment: paymentOf(sessionOf(key, parameters), key), settings }, script);

it('asks for the beneficiary, then offers the accounts of the bank, and needs no code', async () => {
  const paid = paying([
    [201, wantsBeneficiary],
    [200, wantsAccount],
    [200, done],
  ]);
  expect(await paid.drive()).toMatchObject({
    nextAction: { step: 'beneficiary', fields: [{ name: 'name' }, { name: 'account' }] },
  });
  expect(await paid.drive({ step: 'beneficiary', values: details })).toMatchObject({
    nextAction: {
      step: 'account',
      fields: [
        {
          name: 'account',
          options: [
            { value: 'a-1', label: 'Current' },
            { value: 'a-2', label: 'Savings' },
          ],
        },
      ],
    },
  });
  expect(outcomeOf(await paid.drive({ step: 'account', values: { account: 'a-2' } }))).toMatchObject({
    status: 'settled',
  });
  expect([paid.body(1), paid.body(2)]).toEqual([details, { account: 'a-2' }]);
});

it('takes no account that the bank did not list', async () => {
  const paid = paying([[201, wantsAccount]]);
  await paid.drive();
  expect(await paid.drive({ step: 'account', values: { account: 'a-3' } })).toMatchObject({ kind: 'suspended' });
  expect(paid.lines()).toEqual(['POST /transfers']);
});

describe('a code', () => {
  it('is asked at every stage at which the bank wants one', async () => {
    const paid = paying(
      [
        [201, wantsCode('start')],
        [200, wantsBeneficiary],
        [200, wantsCode('beneficiary')],
        [200, wantsAccount],
        [200, wantsCode('account')],
        [200, done],
      ],
      { beneficiary: details },
    );
    expect(await paid.drive()).toMatchObject({ nextAction: { step: 'code', resend: true } });
    await paid.drive(code('code', '111'));
    await paid.drive(code('code#2', '222'));
    await paid.drive({ step: 'account', values: { account: 'a-1' } });
    expect(outcomeOf(await paid.drive(code('code#3', '333')))).toMatchObject({ status: 'settled' });
    expect([1, 3, 5].map((at) => paid.body(at))).toEqual([
      { challenge: 'start', otp: '111' },
      { challenge: 'beneficiary', otp: '222' },
      { challenge: 'account', otp: '333' },
    ]);
  });

  it('that is wrong is asked for again under another key, until the bank takes no more', async () => {
    const paid = paying([[201, wantsCode('start')], wrong, wrong, [422, { code: 'locked' }]]);
    await paid.drive();
    expect(await paid.drive(code('code', '111'))).toMatchObject({
      nextAction: { error: { en: 'This code is not right, or too old.' } },
    });
    await paid.drive(code('code#2', '222'));
    expect(outcomeOf(await paid.drive(code('code#3', '333')))).toMatchObject({
      status: 'declined',
      kind: 'soft',
      code: 'authentication_failed',
    });
    const keys = paid.asked.map(({ headers }) => headers['x-request-key']);
    expect(new Set(keys).size).toBe(4);
  });

  it('is sent once more, or the payer reads that it was not', async () => {
    const paid = paying([
      [201, wantsCode('start')],
      [202, {}],
      [429, { code: 'too_soon' }],
    ]);
    await paid.drive();
    expect(await paid.drive({ step: 'code', resend: true })).not.toHaveProperty('nextAction.error');
    expect(await paid.drive({ step: 'code#2', resend: true })).toMatchObject({
      nextAction: { error: { en: 'No new code could be sent yet. Wait a moment and try again.' } },
    });
    expect(paid.lines().slice(1)).toEqual(Array.from({ length: 2 }, () => 'POST /transfers/bt-1/code/resend'));
  });
});

describe('a beneficiary of the request', () => {
  it('is not asked for', async () => {
    const paid = paying(
      [
        [201, wantsBeneficiary],
        [200, done],
      ],
      { beneficiary: details },
    );
    expect(outcomeOf(await paid.drive())).toMatchObject({ status: 'settled' });
    expect(paid.body(1)).toEqual(details);
  });

  it('that the bank does not know is asked for, so that no answer is sent twice without the payer', async () => {
    const paid = paying([[201, wantsBeneficiary], wrong], { beneficiary: details });
    expect(await paid.drive()).toMatchObject({
      nextAction: { step: 'beneficiary', error: { en: expect.stringContaining('does not know this beneficiary') } },
    });
  });
});

it('ends with what the bank says, whatever step it still names', async () => {
  const paid = paying([[201, { ...wantsBeneficiary, state: 'refused' }]]);
  expect(outcomeOf(await paid.drive())).toMatchObject({ status: 'declined', code: 'declined_by_bank' });
});

it('gives no answer of the payer to the transfer of another payment', async () => {
  const paid = paying([[201, { ...wantsBeneficiary, our_id: 'another' }]], { beneficiary: details });
  expect(outcomeOf(await paid.drive())).toMatchObject({ status: 'unknown' });
  expect(paid.lines()).toEqual(['POST /transfers']);
});
