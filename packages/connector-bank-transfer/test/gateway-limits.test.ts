import { resolveMethod } from '@railyard/core/registry';
import { expect, it } from 'vitest';
import { answerWith, type Good, type Limit, limitsOf } from './support/limits.ts';
import { registry, sessionOf, today } from './support/sessions.ts';

const long = (length: number) => 'x'.repeat(length);
const ownAccount = { orgCode: 'ZIRAAT', accountName: 'Ada Yilmaz', accountNumber: '1234567' };
const accountLimits: readonly Limit[] = [
  ['orgCode', ['Z', long(255), undefined], ['', long(256), 7]],
  ['accountName', ['A', long(64), undefined], ['', long(65), null]],
  ['accountNumber', ['1', long(255), undefined], ['', long(256), 7]],
];

const ar: Good = { key: 'bank-ar', currency: 'ARS', parameters: { bank_cuil: '20-05536168-2' } };
const mx: Good = { key: 'bank-mx', currency: 'MXN', parameters: { bank_curp: 'BOXW310820HNERXN09' } };

const iban: Good = { key: 'iban-tr', currency: 'TRY', parameters: { personal_id: '17291716060' } };
const swift: Good = {
  key: 'bank-account',
  currency: 'MYR',
  parameters: { bank_code: 'AGRIFRPP', bank_account_number: '1234567890' },
};

const rows: readonly (readonly [Good, readonly Limit[]])[] = [
  [ar, [['bank_cuil', ['20055361682', undefined], ['2005536168', '200553616820', '2005536168x', '', 20055361682]]]],
  [
    mx,
    [
      [
        'bank_curp',
        ['boxw310820hnerxn09', undefined],
        ['BOXW310820HNERXN0', 'BOXW310820HNERXN099', 'BOXW-310820-HNERXN', '', 1],
      ],
    ],
  ],
  ...[
    ['bank-code-tr', 'TRY'],
    ['wallet-tr', 'TRY'],
    ['wallet-th', 'THB'],
    ['qr-th', 'THB'],
  ].map(([key = '', currency = '']) => [{ key, currency, parameters: ownAccount }, accountLimits] as const),
];

for (const [good, limits] of rows) limitsOf(good, limits, { country: 'FR' });

limitsOf(iban, [
  ['personal_id', ['17291716060', ' 17291716060 ', undefined], ['1729171606', '172917160601', '1729171606x', '', 1]],
]);

it.each([
  ['asks a payer in Türkiye for their number', { country: 'TR' }, 'missing'],
  ['asks a payer whose country is not said', {}, 'missing'],
  ['takes a payer elsewhere without it', { country: 'FR' }, 'complete'],
])('iban-tr %s', (_says, billing_address, kind) => {
  const order = { number: 'order-1', amount: '10.00', currency: 'TRY', description: 'Two books' };
  const checked = registry.validate(sessionOf('iban-tr', {}, { order, billing_address }), { today });
  expect(checked.ok && resolveMethod(registry, checked.session, 'iban-tr').kind).toBe(kind);
});

limitsOf(swift, [
  ['bank_code', ['AGRIFRPP882'], [undefined, '', 'AGRIFRP', 'AGRIFRPP8', 'AGRIFRPP8821', 'agrifrpp', 'AGRI12PP', 7]],
  ['bank_account_number', ['1', long(255)], [undefined, '', long(256), 7]],
]);

it('bank-account is taken in any currency and country', () => {
  expect(answerWith({ ...swift, currency: 'SEK', session: { billing_address: { country: 'SE' } } })).toEqual([]);
});

it('warns of a check digit that is not right', () => {
  expect(answerWith(ar, 'bank_cuil', '20055361683')).toEqual([expect.stringContaining('warning parameters.bank-ar')]);
  expect(answerWith(mx, 'bank_curp', 'BOXW310820HNERXN08')).toEqual([
    expect.stringContaining('warning parameters.bank-mx'),
  ]);
  expect(answerWith(iban, 'personal_id', '17291716061')).toEqual([
    expect.stringContaining('warning parameters.iban-tr'),
  ]);
});
