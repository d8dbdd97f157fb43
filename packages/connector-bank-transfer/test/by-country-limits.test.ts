import { describe, expect, it } from 'vitest';
import { answerWith, type Good, type Limit, limitsOf } from './support/limits.ts';

const long = (length: number) => 'x'.repeat(length);
const bank: Limit = ['bank', ['B', long(255), undefined], ['', long(256), 7]];
const inCountry = (country: string, currency: string, parameters: Good['parameters']): Good => ({
  key: 'bank-redirect',
  currency,
  parameters,
  session: { billing_address: { country } },
});

const chile = inCountry('CL', 'CLP', { document_number: '12.531.909-2' });
const colombia = inCountry('CO', 'COP', {
  person_type: 'individual',
  document_type: 'CC',
  document_number: '1020304050',
});
const mexico = inCountry('MX', 'MXN', { document_type: 'CURP', document_number: 'BOXW310820HNERXN09' });
const peru = inCountry('PE', 'PEN', { document_type: 'DNI', document_number: '10117410' });
const with_ = (good: Good, document_type: string, document_number: string): Good => ({
  ...good,
  parameters: { ...good.parameters, document_type, document_number },
});

/** Both sides of the form of each document. */
const rows: readonly (readonly [Good, readonly Limit[]])[] = [
  [
    chile,
    [
      bank,
      [
        'document_number',
        ['1234567-4', '76014309-k', undefined],
        ['123456-0', '123456789-2', '12531909-X', '', 125319092],
      ],
    ],
  ],
  [
    colombia,
    [
      bank,
      ['person_type', ['individual', 'company', undefined], ['natural', 'Individual', '', null]],
      ['document_type', ['CC', undefined], ['DNI', 'cc', '', 1]],
      ['document_number', ['102030', '1.020.304.050', undefined], ['10203', '10203040501', '10203A', '', 102030]],
    ],
  ],
  [
    with_(colombia, 'CE', 'E123456'),
    [['document_number', ['123456', 'e12345678901'], ['12345', 'E123456789012', 'Ñ123456']]],
  ],
  [
    with_(colombia, 'NIT', '213.123.432-1'),
    [['document_number', ['123456789', '12345678901234567'], ['12345678', '123456789012345678', '12345678K']]],
  ],
  [
    mexico,
    [
      ['document_type', ['CURP', undefined], ['INE', '']],
      [
        'document_number',
        ['boxw310820hnerxn09', undefined],
        ['BOXW310820HNERXN0', 'BOXW310820HNERXN099', 'BOXW310820HNERXN0Ñ', ''],
      ],
    ],
  ],
  [
    with_(mexico, 'RFC', 'GODE 561231 GR8'),
    [
      [
        'document_number',
        ['MAB-930714-8T4', 'ÑAB9307148T4'],
        ['AB9307148T4', 'GODEX561231GR8', 'GODE561231GR', 'GODE561231GR88'],
      ],
    ],
  ],
  [
    peru,
    [
      bank,
      ['document_type', ['DNI', undefined], ['CC', '']],
      [
        'document_number',
        ['10117410', '10117410-2', '10812543-H', undefined],
        ['1011741', '1011741022', '1011741A0', '', 10117410],
      ],
    ],
  ],
  [with_(peru, 'CE', '001234567'), [['document_number', ['123456', '123456789012'], ['12345', '1234567890123']]]],
  [with_(peru, 'PAS', 'AB123456'), [['document_number', ['A', 'A'.repeat(20)], ['', 'A'.repeat(21), 'A_1']]]],
  [
    with_(peru, 'RUC', '20512333797'),
    [['document_number', ['20100255325'], ['2051233379', '205123337977', '2051233379A']]],
  ],
];

for (const [good, limits] of rows) limitsOf(good, limits, { country: 'FR' });

it('asks the payer for the country first, and takes what one of the countries takes', () => {
  const good = { ...colombia, session: {} };
  expect(answerWith(good)).toEqual([]);
  expect(answerWith(good, 'passport', 'x')).toEqual([expect.stringContaining('parameters.bank-redirect.passport')]);
});

describe('a parameter of another country', () => {
  it.each([
    ['bank', mexico, 'B-01'],
    ['person_type', peru, 'company'],
    ['document_type', chile, 'RUC'],
  ])('%s is refused', (name, good, value) => {
    expect(answerWith(good, name, value)).toEqual([expect.stringContaining(`parameters.bank-redirect.${name}`)]);
  });
});

it('warns of the check digit of a RUT', () => {
  expect(answerWith(chile, 'document_number', '12.531.909-3')).toEqual([
    'warning parameters.bank-redirect.document_number: The check digit of this number is not correct.',
  ]);
});

it.each([
  ['RUC', peru, '20512333798'],
  ['NIT', colombia, '2131234325'],
  ['CURP', mexico, 'BOXW310820HNERXN08'],
])('warns of the check digit of a %s', (type, good, number) => {
  expect(answerWith(with_(good, type, number))).toEqual([
    'warning parameters.bank-redirect.document_number: The check digit of this number is not correct.',
  ]);
});
