import type { Profile } from '@railyard/core/registry';
import { describe, expect, it } from 'vitest';
import { answerWith, type Good, type Limit, limitsOf } from './support/limits.ts';
import { payoutTo } from './support/payouts.ts';
import { answer, sessionOf } from './support/sessions.ts';

const long = (length: number) => 'x'.repeat(length);
const EVP = '123e4567-e89b-12d3-a456-426614174000';

const method: Limit = ['paymentMethod', ['X', long(6)], ['', long(7), undefined, 7]];
const account: Limit = ['cashAccount', ['1', long(32)], ['', long(33), undefined, 7]];
const kind: Limit = ['cashAccountType', ['CORRIENTE', 'AHORROS'], ['corriente', 'VISTA', '', undefined]];
const own: Limit = ['method_length', [], [6, 12]];
const words = (path: string): Limit => [path, ['x', long(255)], ['', long(256), undefined, 7]];
const optional = (path: string): Limit => [path, ['x', long(255), undefined], ['', long(256), 7]];

const LIMITS: Readonly<Record<string, readonly Limit[]>> = {
  IN: [
    method,
    own,
    account,
    [
      'ifscCode',
      ['HDFC0000001', 'SBIN0ABC123'],
      ['HDFC000001', 'HDFC00000012', 'HDFC1000001', 'hdfc0000001', '', undefined],
    ],
  ],
  ID: [method, own, account, optional('name'), optional('accountNo')],
  TH: [words('paymentMethod'), account],
  MX: [method, own, account],
  BR: [
    ['paymentMethod', ['EMAIL'], ['email', 'PIX', '', undefined]],
    ['cashAccount', ['a@example.com', `${long(20)}@example.com`], [`${long(21)}@example.com`, '', undefined, 'a b']],
    [
      'taxNumber',
      ['52998224725', '11222333000181', '12ABC34501DE35'],
      ['5299822472', '529982247250', '112223330001811', '529.982.247-25', '', undefined],
    ],
  ],
  CO: [method, own, account, kind, ['idType', ['CC', 'CE'], ['NIT', 'cc', '', undefined]], words('identity')],
  PE: [
    method,
    own,
    account,
    kind,
    ['cci', ['01136600010003254221'], ['0113660001000325422', '011366000100032542211', '', undefined]],
    words('name'),
    ['email', ['a@example.com'], ['a', '', undefined]],
    words('phone'),
    ['idType', ['DNI', 'CE', 'PAS'], ['CC', 'dni', '', undefined]],
    ['identity', ['10117410', '101174102'], ['', long(256), undefined]],
  ],
};

const goodOf = (country: string, parameters = {}): Good => {
  const { currency = '', parameters: given = {} } = payoutTo[country] ?? {};
  return { key: 'disbursement', currency, operation: 'credit', parameters: { ...given, ...parameters } };
};

for (const [country, limits] of Object.entries(LIMITS))
  limitsOf(goodOf(country), limits, { country: 'FR', place: 'payee_billing_address' });

describe('a disbursement', () => {
  it.each(Object.keys(payoutTo))('to %s may name its country', (country) => {
    expect(answerWith({ ...goodOf(country), session: { payee_billing_address: { country } } })).toEqual([]);
  });

  it.each([
    ['CPF', '52998224725'],
    ['CNPJ', '11222333000181'],
    ['PHONE', '+5511912345684'],
    ['PHONE', '5511912345684'],
    ['EMAIL', 'fulano@example.com'],
    ['EVP', EVP],
    ['EVP', EVP.replaceAll('-', '')],
  ])('in BRL goes to a Pix key of the kind %s, %s, and no other kind takes that key', (paymentMethod, cashAccount) => {
    expect(answerWith(goodOf('BR', { paymentMethod, cashAccount }))).toEqual([]);
    const others = ['CPF', 'CNPJ', 'PHONE', 'EMAIL', 'EVP'].filter((each) => each !== paymentMethod);
    for (const other of others)
      expect(answerWith(goodOf('BR', { paymentMethod: other, cashAccount }))).toEqual([
        `parameters.disbursement.cashAccount: This value is not a key of the kind ${other}.`,
      ]);
  });

  it.each([
    ['BR', 'taxNumber', '52998224724'],
    ['MX', 'cashAccount', '032180000118359718'],
    ['PE', 'cci', '01136600010003254222'],
    ['PE', 'identity', '101174103'],
    ['PE', 'identity', '1011741'],
  ])('to %s is warned of a %s with a wrong check digit or form: %s', (country, path, value) => {
    expect(answerWith(goodOf(country), path, value)).toEqual([
      expect.stringMatching(`^warning parameters.disbursement.${path}: `),
    ]);
  });

  it('to PE by a RUC is warned of its check digit alone', () => {
    expect(answerWith(goodOf('PE', { idType: 'RUC', identity: '20512333797' }))).toEqual([]);
    expect(answerWith(goodOf('PE', { idType: 'RUC', identity: '20512333798' }))).toEqual([
      expect.stringContaining('warning parameters.disbursement.identity'),
    ]);
    expect(answerWith(goodOf('PE', { idType: 'PAS', identity: 'X1' }))).toEqual([]);
  });

  const withLongest = (method_length: number, length: number) => {
    const profile: Profile = {
      methods: { disbursement: { method: 'disbursement', supplied: ['method_length'], values: { method_length } } },
    };
    const { currency, parameters } = goodOf('MX');
    const more = {
      operation: 'credit',
      payee: { name: 'Ana Torres' },
      order: { number: 'order-1', amount: '10.00', currency, description: 'Two books' },
    };
    return answer(sessionOf('disbursement', { ...parameters, paymentMethod: long(length) }, more), profile);
  };
  const tooLong = (most: number) => [
    `parameters.disbursement.paymentMethod: This value is too long. It should have ${most} characters or less.`,
  ];

  it.each([6, 12])('has a paymentMethod of %i characters where the account allows them', (method_length) => {
    expect(withLongest(method_length, method_length)).toEqual([]);
    expect(withLongest(method_length, method_length + 1)).toEqual(tooLong(method_length));
  });

  it('has none of 13 characters, whatever an account allows', () => {
    expect(withLongest(13, 13)).not.toEqual([]);
  });

  it('has fields of its own currency alone', () => {
    expect(answerWith(goodOf('MX', { ifscCode: 'HDFC0000001' }))).toEqual([
      expect.stringContaining('parameters.disbursement.ifscCode'),
    ]);
  });
});

const NAMES = ['ToAccountNumber', 'ToAccountName', 'ToProvince', 'ToCity', 'ToBranch', 'ToAddress', 'Email', 'Phone'];
const withdrawal: Good = {
  key: 'bank-withdrawal',
  currency: 'CNY',
  operation: 'credit',
  parameters: { ToAccountNumber: '1234567890', ToAccountName: 'Li Na' },
};
limitsOf(withdrawal, [
  words('ToAccountNumber'),
  words('ToAccountName'),
  optional('ToProvince'),
  optional('ToCity'),
  optional('ToBranch'),
  optional('ToAddress'),
  ['Email', ['a@example.com', undefined], ['a', '', 7]],
  optional('Phone'),
  ['required_fields', [], [['ToAccountName'], ['ToAccountName', 'ToAccountNumber']]],
]);

describe('a withdrawal', () => {
  it('is taken in any currency and country', () => {
    expect(
      answerWith({ ...withdrawal, currency: 'SEK', session: { payee_billing_address: { country: 'SE' } } }),
    ).toEqual([]);
  });

  const at = (required_fields: readonly string[], parameters: object) =>
    answer(
      sessionOf('bank-withdrawal', Object.fromEntries(Object.entries(parameters)), {
        operation: 'credit',
        payee: { name: 'Ana Torres' },
      }),
      {
        methods: {
          'bank-withdrawal': { method: 'bank-withdrawal', supplied: ['required_fields'], values: { required_fields } },
        },
      },
    );

  it.each(NAMES)('needs %s where the account lists it, and then nothing else', (name) => {
    const value = name === 'Email' ? 'a@example.com' : 'x';
    expect(at([name], { [name]: value })).toEqual([]);
    expect(at([name], {})).toEqual([expect.stringMatching(`^parameters.bank-withdrawal.${name}: .* is required when`)]);
    expect(at([name], { [name]: '' })).toEqual([expect.stringContaining(`parameters.bank-withdrawal.${name}: `)]);
  });

  it('needs nothing where the account lists nothing', () => {
    expect(at([], {})).toEqual([]);
  });
});
