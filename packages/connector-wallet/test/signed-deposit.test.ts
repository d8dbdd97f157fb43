import { createSign, createVerify } from 'node:crypto';
import { receiveNotification } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { signedDepositConnector as connector } from '../src/index.ts';
import { sampleAbsent, sampleClosed, sampleDeposit, sampleNotification } from '../src/signed-deposit.samples.ts';
import { signedText } from '../src/signed-text.ts';
import { edgesOf } from './support/edges.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { depositSettings, partner, provider } from './support/keys.ts';
import { answer, sessionOf } from './support/sessions.ts';

const key = 'cash-wallet-deposit';
const parameters = { payer_id: 'user-7781' };
const good = {
  key,
  parameters,
  session: {
    order: { number: 'order-1', amount: '10.50', currency: 'EUR', description: 'Two books' },
    customer: { name: 'Ana Marija Horvat', birth_date: '1990-04-23' },
  },
};
const session = (more: object = {}) => sessionOf(key, parameters, { ...good.session, ...more });
const inCurrency = (currency: string, amount: string) =>
  session({ order: { number: 'order-1', amount, currency, description: 'Two books' } });

const long = (length: number) => 'x'.repeat(length);

describe('what a session may send', () => {
  edgesOf(good, [
    ['parameters.payer_id', ['1', long(255)], [undefined, null, '', ' ', long(256), 7]],
    ['parameters.surprise', [], ['x']],
    // Absent: the payer is asked.
    [
      'customer.name',
      [undefined, 'A B', `${'A'.repeat(100)} ${'B'.repeat(99)}`],
      ['Ana', 'A ', `${'A'.repeat(100)} ${'B'.repeat(100)}`, 7],
    ],
    [
      'customer.birth_date',
      [undefined, '1900-01-01', '2026-11-21'],
      ['1899-12-31', '2026-11-22', '1990-02-30', 19900423],
    ],
  ]);

  it('is for purchases alone, in any currency and country', () => {
    expect(answer(session({ operation: 'debit' }))).toContainEqual(expect.stringContaining('methods: '));
    expect(answer(inCurrency('RON', '10.00'))).toEqual([]);
    expect(answer(session({ billing_address: { country: 'SE' } }))).toEqual([]);
  });
});

function buying(request: unknown, script: Script, settings: Readonly<Record<string, unknown>> = depositSettings) {
  const payment = paymentOf(request, key);
  return exchange({ connector, key, flow: 'purchase', payment, settings }, script);
}

const isSigned = (text: string, signature: unknown) =>
  createVerify('RSA-SHA256').update(text, 'utf8').verify(partner.publicKey, String(signature), 'base64');

describe('the settings of an account', () => {
  const taken = (change: object) =>
    connector.settings.safeParse({ base_url: 'https://api.example', ...depositSettings, ...change }).success;

  it.each(['hr', 'hr-HR', 'x', 'abcdefgh-12345678', 'zh-Hant-TW'])('take %s for a language identifier', (locale) => {
    expect(taken({ locale })).toBe(true);
  });

  it.each(['', 'hr_HR', 'hr-', '-HR', 'abcdefghi', 'hr-123456789', '12', 'hr HR'])(
    'refuse %j for a language identifier',
    (locale) => {
      expect(taken({ locale })).toBe(false);
    },
  );

  it('have a partner id in each currency, by its code', () => {
    expect(taken({ partner_ids: { EUR: 'p' } })).toBe(true);
    for (const partner_ids of [{ eur: 'p' }, { EURO: 'p' }, { EU: 'p' }, { EUR: '' }, 'p', undefined])
      expect(taken({ partner_ids })).toBe(false);
  });
});

describe('the signature of a request', () => {
  it('covers each field by its name in any case, and decimals without zeros at their end', async () => {
    const made = buying(session(), [[201, sampleDeposit]], { ...depositSettings, web_application_service: 'web-1' });
    await made.drive();
    const { Signature, ...fields } = Object(made.body(0));
    expect(made.asked[0]?.body).toContain('"Amount":10.50');
    expect(fields).toMatchObject({ CurrencyId: 978, PayType: 0, PayMethod: 2, PartnerId: 'partner-eur' });
    const back = 'https://pay.example/back';
    const text =
      `Amount=10.5&BirthDate=1990-04-23&CallbackUrl=https://pay.example/notify/mid-1&CancelUrl=${back}&CurrencyId=978` +
      `&DeclineUrl=${back}&FirstName=Ana Marija&LastName=Horvat&Locale=hr-HR&PartnerId=partner-eur&PayerId=user-7781` +
      `&PayMethod=2&PayType=0&PublicTransactionId=${OURS}&ReturnUrl=${back}&WebApplicationService=web-1`;
    expect(isSigned(text, Signature)).toBe(true);
    expect(isSigned(text.replace('Amount=10.5', 'Amount=10.6'), Signature)).toBe(false);
  });

  it.each([
    ['AUD', '10.00', 36, 'Amount=10'],
    ['JPY', '1000', 392, 'Amount=1000'],
    ['KWD', '10.120', 414, 'Amount=10.12'],
    ['EUR', '0.10', 978, 'Amount=0.1'],
  ])('has the number of %s, and %s without its last zeros', async (currency, amount, number, signed) => {
    const made = buying(inCurrency(currency, amount), [
      [201, { ...sampleDeposit, Amount: Number(amount), CurrencyId: number }],
    ]);
    await made.drive();
    const { Signature, ...fields } = Object(made.body(0));
    expect(fields).toMatchObject({ CurrencyId: number, PartnerId: `partner-${currency.toLowerCase()}` });
    const { Amount: _amount, ...others } = fields;
    const rest = signedText(others);
    expect(isSigned(`${signed}&${rest}`, Signature)).toBe(true);
  });

  it('writes an empty field with its name, and a list as its pairs', () => {
    expect(
      signedText({
        b: '',
        A: 1,
        list: [
          { Key: 'k', Value: 'v' },
          { Key: 'l', Value: '' },
        ],
      }),
    ).toBe('A=1&b=&list=Key=k&Value=v&Key=l&Value=');
  });
});

it('declines a currency without a partner id before the provider is asked', async () => {
  const made = buying(inCurrency('RON', '10.00'), []);
  expect(outcomeOf(await made.drive())).toMatchObject({ status: 'declined', kind: 'hard', code: 'not_supported' });
  expect(made.asked).toEqual([]);
});

describe('a lookup', () => {
  const look = (connectorState: object, script: Script, providerReference: string | undefined = 'dep_5f21') =>
    exchange(
      {
        connector,
        key,
        flow: 'status',
        payment: { ...lookedUp(session(), key, providerReference), connectorState },
        settings: depositSettings,
      },
      script,
    );

  it('that finds nothing declines a deposit which a notification has closed, and no other', async () => {
    const closed = await look({ notified: 'closed' }, [[404, sampleAbsent]]).drive();
    expect(outcomeOf(closed)).toMatchObject({ status: 'declined', kind: 'soft', code: 'authentication_failed' });
    const answeredAs200 = await look({ notified: 'closed' }, [[200, sampleAbsent]]).drive();
    expect(outcomeOf(answeredAs200)).toMatchObject({ status: 'declined', code: 'authentication_failed' });
    const open = await look({}, [[404, sampleAbsent]]).drive();
    expect(outcomeOf(open)).toMatchObject({ status: 'unknown', provider: { code: 'TRANSACTION_NOT_FOUND' } });
  });

  it('settles a closed deposit that the provider knows after all', async () => {
    const found = await look({ notified: 'closed' }, [[200, { ...sampleDeposit, Status: 'paid' }]]).drive();
    expect(outcomeOf(found)).toMatchObject({ status: 'settled', amount: { text: '10.50', currency: 'EUR' } });
  });

  it('of another deposit settles nothing', async () => {
    const other = { ...sampleDeposit, TransactionId: 'dep_0', Status: 'paid' };
    expect(outcomeOf(await look({}, [[200, other]]).drive())).toMatchObject({ status: 'unknown' });
  });

  it('does not understand a currency that ISO 4217 has not', async () => {
    expect(await look({}, [[200, { ...sampleDeposit, CurrencyId: 1 }]]).drive()).toMatchObject({ kind: 'interrupted' });
  });
});

describe('a notification', () => {
  const TEXT = `Amount=10.5&CurrencyId=978&Parameters=Key=PublicTransactionId&Value=${OURS}&Status=`;
  const signatureOf = (text: string) =>
    createSign('RSA-SHA256').update(text, 'utf8').sign(provider.privateKey, 'base64');
  const receive = (body: object) => {
    const settings = connector.settings.parse({ base_url: 'https://api.example', ...depositSettings });
    return receiveNotification(connector, settings, { headers: {}, body: JSON.stringify(body) }, Date.now());
  };

  it('counts with the provider’s signature in its body', () => {
    const Signature = signatureOf(`${TEXT}paid&TransactionId=dep_5f21`);
    expect(receive({ ...sampleNotification, Signature })).toMatchObject({
      kind: 'events',
      proven: true,
      events: [
        { id: 'dep_5f21/paid', providerReference: 'dep_5f21', merchantReference: OURS, outcome: { status: 'settled' } },
      ],
    });
  });

  it.each([
    ['another amount', { Amount: 10.51 }],
    ['another currency', { CurrencyId: 36 }],
    ['another status', { Status: 'declined' }],
    ['another deposit', { TransactionId: 'dep_6' }],
    ['another of our ids', { Parameters: [{ Key: 'PublicTransactionId', Value: 'other' }] }],
    ['no signature', { Signature: undefined }],
    ['a signature that is none', { Signature: '' }],
  ])('is refused with %s', (_how, change) => {
    const Signature = signatureOf(`${TEXT}paid&TransactionId=dep_5f21`);
    expect(receive({ ...sampleNotification, Signature, ...change })).toMatchObject({ kind: 'refused' });
  });

  it('is refused when the partner’s own key signed it', () => {
    const text = `${TEXT}paid&TransactionId=dep_5f21`;
    const Signature = createSign('RSA-SHA256').update(text, 'utf8').sign(partner.privateKey, 'base64');
    expect(receive({ ...sampleNotification, Signature })).toMatchObject({ kind: 'refused' });
  });

  it('that closes a deposit leaves it to be looked up, with the mark that the lookup reads', () => {
    const Signature = signatureOf(`${TEXT}closed&TransactionId=dep_5f21`);
    expect(receive({ ...sampleClosed, Signature })).toMatchObject({
      events: [{ kind: 'payment', outcome: { status: 'unknown', connectorState: { notified: 'closed' } } }],
    });
  });
});
