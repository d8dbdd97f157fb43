import { money, moneyOfMinor } from '@railyard/core';
import { expect, test } from 'vitest';
import * as fc from '../../../../test/support/properties.ts';
import { merchantSchema } from '../../src/deployment/catalogue.ts';
import { vatIn } from '../../src/merchants/shares.ts';

test.each([
  ['119.00', 'EUR', '19', '19.00'],
  ['100.99', 'EUR', '19', '16.12'],
  ['0.03', 'EUR', '20', '0.01'],
  ['0.02', 'EUR', '20', '0.00'],
  ['10.00', 'EUR', '0', '0.00'],
  ['10.00', 'EUR', '100', '5.00'],
  ['1000', 'JPY', '10', '91.00'],
  ['10.500', 'KWD', '5', '0.500'],
])('%s %s by %s %% contains a tax of %s', (amount, currency, rate, tax) => {
  expect(vatIn(money(amount, currency), rate).text).toBe(tax);
});

test('the tax is the exact part of any amount by any rate, rounded half up, and below the amount', () => {
  const tenThousandths = fc.bigInt({ min: 0n, max: 1_000_000n });
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), tenThousandths, (minor, parts) => {
      const decimals = (parts % 10_000n).toString().padStart(4, '0');
      const rate = parts === 1_000_000n ? '100' : `${parts / 10_000n}.${decimals}`;
      const { minor: tax } = vatIn(moneyOfMinor(minor, 'EUR'), rate);
      // Twice the distance to the exact quotient, in parts of the divisor: half up is above −1 and at most 1.
      const divisor = 1_000_000n + parts;
      const off = (tax * divisor - minor * parts) * 2n;
      expect(off > -divisor && off <= divisor).toBe(true);
      expect(tax <= minor).toBe(true);
    }),
  );
});

const id = '57fddecf-17b9-4d38-9320-a670f0c29ec0';

test.each([
  [{ vat: { XX: '19' } }, 'vat.XX'],
  [{ vat: { DE: '19 %' } }, 'vat.DE'],
  [{ vat: { DE: '101' } }, 'vat.DE'],
  [{ forms: { mine: {} } }, 'forms.mine'],
  [{ forms: { [id]: { button: 'red' } } }, `forms.${id}.button`],
  [{ branding: { background: '#fff' } }, 'branding.background'],
  [{ branding: { logo: 'https://shop.example/logo.png' } }, 'branding.logo'],
  [{ branding: { logo: 'data:text/html;base64,PGI+' } }, 'branding.logo'],
  [{ branding: { font: 'serif' } }, 'branding'],
])('a merchant with %j is refused at %s', (given, path) => {
  const parsed = merchantSchema.safeParse({
    key: 'k',
    name: 'Shop',
    password: 'Demo-Merchant-Pass-01',
    methods: [{ key: 'pix', mid: 'a' }],
    ...given,
  });
  expect(parsed.error?.issues.map((each) => each.path.join('.'))).toEqual([path]);
});
