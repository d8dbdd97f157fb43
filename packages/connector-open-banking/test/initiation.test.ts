import { preview } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { initiationConnector as connector, openBanking } from '../src/index.ts';
import { exchange, lookedUp, NOW, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { paymentTo } from './support/sessions.ts';

const key = 'open-banking';
const settings = {
  client_id: 'the-client-id',
  client_secret: 'the-client-secret',
  webhook_secret: 'a-notification-secret',
};
const PAGE = 'https://bank.example/authorize/pi_1';
const TOKEN = [200, { access_token: 'token-1', expires_in: 3600 }] as const;
const payment = (more: object = {}) => ({
  id: 'pi_1',
  reference: OURS,
  status: 'RCVD',
  amount: '10.00',
  currency: 'GBP',
  ...more,
});
const opened = [201, payment({ authorization_url: PAGE })] as const;
const purchase = (script: Script, session: object = paymentTo(), more: object = {}) =>
  exchange({ connector, key, settings: { ...settings, ...more }, flow: 'purchase', payment: paymentOf(session, key) }, [
    TOKEN,
    ...script,
  ]);
const back = { step: 'visit', values: { payment_id: 'pi_1' } };

describe('a payment', () => {
  it('goes by way of the bank, and is asked for afterwards', async () => {
    const run = purchase([opened, [200, payment({ status: 'ACSC' })]]);
    expect(await run.drive()).toMatchObject({
      kind: 'suspended',
      nextAction: { kind: 'visit', url: PAGE, method: 'GET', reference: 'pi_1' },
    });
    expect(outcomeOf(await run.drive(back))).toMatchObject({
      status: 'settled',
      providerReference: 'pi_1',
      amount: { text: '10.00', currency: 'GBP' },
    });
    expect(run.lines()).toEqual(['POST /v1/token', 'POST /v1/payments', 'GET /v1/payments/pi_1']);
    expect(run.body(1)).toEqual({
      reference: OURS,
      amount: '10.00',
      currency: 'GBP',
      description: 'Two books',
      payer: { name: 'Ada Example', email: 'ada@example.com' },
      payee: {
        name: 'Ann Lee',
        country: 'GB',
        identifications: [
          { type: 'SORT_CODE', identification: '040004' },
          { type: 'ACCOUNT_NUMBER', identification: '12345678' },
        ],
      },
      redirect_url: 'https://pay.example/back',
      notify_url: 'https://pay.example/notify/mid-1',
    });
  });

  it('is not settled by what the browser says', async () => {
    const run = purchase([opened, [200, payment({ status: 'PDNG' })]]);
    await run.drive();
    const said = { ...back, values: { payment_id: 'pi_of_another', status: 'ACSC' } };
    expect(outcomeOf(await run.drive(said))).toEqual({
      status: 'pending',
      providerReference: 'pi_1',
      provider: { status: 'PDNG' },
    });
    expect(run.lines()[2]).toBe('GET /v1/payments/pi_1');
  });

  it('that the provider does not find after the visit is pending', async () => {
    const run = purchase([opened, [404, { code: 'not_found' }]]);
    await run.drive();
    expect(outcomeOf(await run.drive(back))).toEqual({ status: 'pending', providerReference: 'pi_1' });
  });

  it.each([
    ['ACSC', { status: 'settled' }],
    ['RJCT', { status: 'declined', kind: 'soft', reason: 'The bank rejected the payment.' }],
    ['HELD', { status: 'unknown' }],
  ])('that is %s at once does not send the payer to a bank', async (status, expected) => {
    const run = purchase([[201, payment({ status, authorization_url: PAGE })]]);
    expect(outcomeOf(await run.drive())).toMatchObject(expected);
  });

  it('without a page waits for the payer, whom the bank asks by itself', async () => {
    expect(outcomeOf(await purchase([[201, payment()]]).drive())).toMatchObject({
      status: 'pending',
      providerReference: 'pi_1',
    });
  });

  it('of another reference says nothing about this one', async () => {
    const other = payment({ reference: 'another-payment', status: 'ACSC' });
    expect(outcomeOf(await purchase([[201, other]]).drive())).toMatchObject({ status: 'unknown' });
  });

  it('is sent again with the same key after a lost reply', async () => {
    const run = purchase(['lost', opened]);
    await run.drive();
    expect(await run.drive()).toMatchObject({ kind: 'suspended' });
    expect(run.asked[2]).toEqual(run.asked[1]);
  });

  it.each([
    ['AC01', 'payee_not_valid', 'The account number of the payee is not correct.', 'hard'],
    ['AM04', 'insufficient_funds', 'There is not enough money in the account.', 'soft'],
    ['E77', 'declined_by_provider', 'The provider refused the payment.', 'hard'],
  ])('that is refused with %s is declined', async (code, why, reason, kind) => {
    const refused = outcomeOf(await purchase([[422, { code, message: 'No.' }]]).drive());
    expect(refused).toEqual({ status: 'declined', kind, code: why, reason, provider: { code } });
  });

  it.each(['AM05', 'DU04'])('that is refused with %s, a duplicate, is unknown', async (code) => {
    expect(outcomeOf(await purchase([[422, { code }]]).drive())).toMatchObject({ status: 'unknown' });
  });
});

describe('a choice of the bank', () => {
  const banks = {
    banks: [
      { id: 'north', name: 'North Bank' },
      { id: 'south', name: 'South Bank' },
    ],
  };
  const choosing = (script: Script, session: object = paymentTo()) => purchase(script, session, { choose_bank: true });

  it('is asked for on the page, and sent', async () => {
    const run = choosing([[200, banks], opened]);
    expect(await run.drive()).toMatchObject({
      kind: 'suspended',
      nextAction: {
        step: 'bank',
        fields: [
          {
            name: 'bank',
            label: { en: 'Your bank' },
            input: 'select',
            options: [
              { value: 'north', label: 'North Bank' },
              { value: 'south', label: 'South Bank' },
            ],
          },
        ],
      },
    });
    expect(await run.drive({ step: 'bank', values: { bank: 'elsewhere' } })).toMatchObject({
      problems: [{ field: 'bank', message: 'The value you selected is not a valid choice.' }],
    });
    expect(await run.drive({ step: 'bank', values: { bank: 'south' } })).toMatchObject({
      nextAction: { kind: 'visit' },
    });
    expect(run.body(2)).toMatchObject({ bank_id: 'south' });
    expect(run.lines()[1]).toBe('GET /v1/banks?country=GB&currency=GBP');
  });

  it('is of the payer’s country, where it is known', async () => {
    const run = choosing([[200, banks]], paymentTo({}, { billing_address: { country: 'IE' } }));
    await run.drive();
    expect(run.lines()[1]).toBe('GET /v1/banks?country=IE&currency=GBP');
  });

  it('is left to the provider where there are none', async () => {
    const run = choosing([[200, { banks: [] }], opened]);
    expect(await run.drive()).toMatchObject({ nextAction: { kind: 'visit' } });
    expect(run.body(2)).not.toHaveProperty('bank_id');
  });
});

describe('a lookup', () => {
  const look = (reply: object, providerReference?: string, status = 200) =>
    exchange({ connector, key, settings, flow: 'status', payment: lookedUp(paymentTo(), key, providerReference) }, [
      TOKEN,
      [status, reply],
    ]);

  it.each([
    ['RCVD', undefined, { status: 'pending' }],
    ['PDNG', undefined, { status: 'pending' }],
    ['PATC', undefined, { status: 'pending' }],
    ['ACTC', undefined, { status: 'pending' }],
    ['ACFC', undefined, { status: 'pending' }],
    ['ACCP', undefined, { status: 'pending' }],
    ['ACWC', undefined, { status: 'pending' }],
    ['ACSP', undefined, { status: 'pending' }],
    ['ACWP', undefined, { status: 'pending' }],
    ['ACSC', undefined, { status: 'settled' }],
    ['ACCC', undefined, { status: 'settled' }],
    ['RJCT', undefined, { status: 'declined', kind: 'soft' }],
    ['RJCT', 'AM04', { kind: 'soft', code: 'insufficient_funds' }],
    ['RJCT', 'AC04', { kind: 'hard', code: 'account_closed' }],
    ['RJCT', 'ZZ99', { kind: 'soft', reason: 'The bank rejected the payment.', provider: { code: 'ZZ99' } }],
    ['CANC', undefined, { status: 'declined', kind: 'soft' }],
    ['ACSC', 'AM04', { status: 'settled' }],
    ['acsc', undefined, { status: 'unknown' }],
    ['PART', undefined, { status: 'unknown' }],
  ])('reads %s, with the reason %s', async (status, status_reason, expected) => {
    const found = await look(payment({ status, ...(status_reason && { status_reason }) }), 'pi_1').drive();
    expect(outcomeOf(found)).toMatchObject(expected);
  });

  it('by our reference shows the way to the bank, which the payer may never have seen', async () => {
    const run = look(payment({ authorization_url: PAGE }));
    expect(outcomeOf(await run.drive())).toMatchObject({
      status: 'pending',
      providerReference: 'pi_1',
      show: { kind: 'redirect', url: PAGE },
    });
    expect(run.lines()[1]).toBe(`GET /v1/payments/reference/${OURS}`);
  });

  it('never takes "not found" for a decline, nor another payment for this one', async () => {
    expect(outcomeOf(await look({ code: 'not_found' }, 'pi_1', 404).drive())).toMatchObject({ status: 'unknown' });
    const other = payment({ id: 'pi_2', status: 'ACSC' });
    expect(outcomeOf(await look(other, 'pi_1').drive())).toMatchObject({ status: 'unknown' });
  });
});

describe('a card number among the identifications', () => {
  const NUMBER = '5200828282828210';
  const session = paymentTo({ payee_identifications: [{ type: 'PAN', identification: NUMBER }] });

  it('reaches the provider, and neither log nor journal, also where the provider repeats it', async () => {
    const said = { code: 'AC03', message: `PAN ${NUMBER} is not known.`, identification: NUMBER, status: NUMBER };
    const run = purchase([[422, said]], session);
    const outcome = outcomeOf(await run.drive());
    expect(run.body(1)).toMatchObject({ payee: { identifications: [{ identification: NUMBER }] } });
    expect(run.left()).toContain('create-payment');
    expect([run.left(), JSON.stringify(outcome)].join()).not.toContain(NUMBER);
  });

  it('is not in a lookup’s log and journal either', async () => {
    const said = payment({ status: 'ACSC', payee: { identifications: [{ identification: NUMBER }] }, note: NUMBER });
    const run = exchange({ connector, key, settings, flow: 'status', payment: lookedUp(session, key, 'pi_1') }, [
      TOKEN,
      [200, said],
    ]);
    const outcome = outcomeOf(await run.drive());
    expect(run.left()).toContain('get-payment');
    expect(run.left()).not.toContain(NUMBER);
    expect(outcome).toMatchObject({ status: 'settled' });
  });

  it('is masked in a preview, as every identification is', () => {
    const parsed = connector.settings.parse({ base_url: 'https://api.example', ...settings });
    const urls = { notify: 'https://pay.example/notify/mid-1', return: 'https://pay.example/back' };
    const context = { payment: paymentOf(session, key), settings: parsed, now: NOW, urls };
    const run = {
      id: 'run-1',
      connector,
      method: openBanking,
      flow: 'purchase',
      settings: parsed,
      mid: 'm',
      context,
    } as const;
    const shown = preview(run).requests.flatMap(({ values }) => values);
    expect(shown).toContainEqual(
      expect.objectContaining({ place: 'json.payee.identifications.0.identification', value: '•••' }),
    );
    expect(shown).toContainEqual(expect.objectContaining({ place: 'json.payee.name', value: 'Ann Lee' }));
    expect(JSON.stringify(shown)).not.toContain(NUMBER);
  });
});
