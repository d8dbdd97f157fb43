import { describe, expect, it } from 'vitest';
import { answerWith, type Good, type Limit, limitsOf } from './support/limits.ts';
import { answer, sessionOf } from './support/sessions.ts';

const words = { merchantType: 'RETAIL', merchantName: 'Shop', accountId: 'acc-1' };
const long = (length: number) => 'x'.repeat(length);

const collected = (market: string, type: string): readonly Limit[] => [
  ['expiryDate', ['2026-11-21T00:00:00Z', '2037-01-01T00:00:00-03:00'], ['2026-11-20T23:59:59Z', '2037-01-01', 1, '']],
  ['merchantType', ['x', long(255)], ['', long(256), 1]],
  ['merchantName', ['x', long(255)], ['', long(256), null]],
  ['accountId', ['x', long(255)], ['', long(256), undefined]],
  ['market', [market, undefined], ['BR', market.toLowerCase(), '']],
  ['type', [type, undefined], ['PIX', type.toLowerCase(), '']],
];
const offline = (market: string, type = 'OFFLINE'): readonly Limit[] => [
  ...collected(market, type),
  ['redirectUrl', ['https://shop.example/back', undefined], ['javascript:alert(1)', 'shop.example', '']],
];
const name: Limit = ['clientname', ['R', long(255), undefined], ['', long(256), 7]];

const methods: readonly (readonly [Good, readonly Limit[]])[] = [
  [
    { key: 'bank-offline-ar', currency: 'ARS', parameters: { ...words, clientTaxId: '20-05536168-2' } },
    [
      ...offline('AR'),
      [
        'clientTaxId',
        ['1234567', '12.345.678', '20055361682', undefined],
        ['123456', '123456789', '1234567890', '200553616820', '', 'x'],
      ],
    ],
  ],
  [
    { key: 'bank-offline-cl', currency: 'CLP', parameters: { ...words, clientTaxId: '12.531.909-2' } },
    [
      ...offline('CL'),
      [
        'clientTaxId',
        ['1234567-4', '76014309-k', '76014309K', undefined],
        ['123456-0', '123456789-2', '12531909-X', ''],
      ],
    ],
  ],
  [
    { key: 'bank-offline-pe', currency: 'PEN', parameters: { ...words, clientname: 'Rosa Quispe' } },
    [...offline('PE'), name],
  ],
  [
    { key: 'bank-offline-py', currency: 'PYG', parameters: { ...words, clientname: 'Ana Ayala' } },
    [...offline('PY'), name],
  ],
  [{ key: 'service-payment-pe', currency: 'PEN', parameters: words }, offline('PE', 'OFFLINE_SERVICE_PAYMENT')],
  [
    { key: 'debin', currency: 'ARS', parameters: { ...words, bankDetails: { cbu: '2850590940090418135201' } } },
    [
      ...collected('AR', 'PULL'),
      ['bankDetails', [undefined, { alias: 'mesa.rio.luna' }], [{}, { iban: 'x' }, '2850590940090418135201']],
      [
        'bankDetails.cbu',
        ['0940099324001313220028'],
        ['285059094009041813520', '28505909400904181352010', 'A850590940090418135201'],
      ],
      ['bankDetails.alias', ['a.b-c1', 'x'.repeat(20)], ['abcde', 'x'.repeat(21), 'año.nuevo', 'mesa rio']],
    ],
  ],
  [
    { key: 'mobile-pull-pe', currency: 'PEN', parameters: { ...words, bankDetails: { phoneNumber: '+51987654321' } } },
    [
      ...collected('PE', 'PULL'),
      ['bankDetails', [undefined, {}], [{ pin: '1' }, '+51987654321']],
      ['bankDetails.phoneNumber', ['987 654 321', '+51912345678'], ['+56987654321', '+51887654321', '98765432x', '']],
      ['bankDetails.otp', ['1234', '123456789012', undefined], ['123', '1234567890123', '12a456', '']],
    ],
  ],
];

for (const [good, limits] of methods) limitsOf(good, limits, { country: 'FR' });

describe('an account that supplies the words of the collection', () => {
  const supplied = ['merchantType', 'merchantName', 'accountId'];

  it.each(methods.map(([{ key, currency }]) => [key, currency]))('leaves %s nothing to send', (key, currency) => {
    const profile = { methods: { [key]: { method: key, supplied, strict_documents: false } } };
    const order = { number: 'order-1', amount: '10', currency, description: 'Two books' };
    expect(answer(sessionOf(key, {}, { order }), profile)).toEqual([]);
    expect(answer(sessionOf(key, {}, { order }))).toHaveLength(3);
  });
});

it('warns of a check digit that is not right', () => {
  const warned = methods.flatMap(([good]) => {
    const wrong: Readonly<Record<string, readonly [string, string]>> = {
      'bank-offline-ar': ['clientTaxId', '20-05536168-3'],
      'bank-offline-cl': ['clientTaxId', '12.531.909-3'],
      debin: ['bankDetails.cbu', '2810590940090418135201'],
    };
    const [path, value] = wrong[good.key] ?? [];
    return path === undefined ? [] : answerWith(good, path, value);
  });
  expect(warned).toEqual([
    'warning parameters.bank-offline-ar.clientTaxId: The check digit of this number is not correct.',
    'warning parameters.bank-offline-cl.clientTaxId: The check digit of this number is not correct.',
    'warning parameters.debin.bankDetails.cbu: The check digit of this number is not correct.',
  ]);
});
