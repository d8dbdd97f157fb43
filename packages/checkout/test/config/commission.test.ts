import { money, moneyOfMinor } from '@railyard/core';
import { expect, test } from 'vitest';
import * as fc from '../../../../test/support/properties.ts';
import { commissionRowSchema } from '../../src/deployment/catalogue.ts';
import { commissionOn } from '../../src/merchants/shares.ts';

const row = (given: object) => commissionRowSchema.parse({ currency: 'USD', ...given });
const on = (amount: string, ...rows: object[]) => commissionOn(money(amount, 'USD'), rows.map(row)).text;

test.each([
  ['10.00', { percent: '1.5', fixed: '0.30' }, '0.45'],
  ['10.00', { percent: '0.05' }, '0.01'],
  ['9.99', { percent: '0.05' }, '0.00'],
  ['10.00', { percent: '100' }, '10.00'],
  ['10.00', { fixed: '0.30' }, '0.30'],
  ['10.00', { percent: '1', min: '0.50' }, '0.50'],
  ['10.00', { percent: '1', min: '0.50', max: '0.50' }, '0.50'],
  ['999.00', { percent: '1', max: '5.00' }, '5.00'],
  ['0.01', { percent: '0.0001' }, '0.00'],
])('of %s by %o is %s', (amount, given, commission) => {
  expect(on(amount, given)).toBe(commission);
});

test('is that of the first row in the currency, and nothing without one', () => {
  expect(on('10.00', { currency: 'EUR', fixed: '9.00' }, { fixed: '1.00' }, { fixed: '2.00' })).toBe('1.00');
  expect(on('10.00', { currency: 'EUR', fixed: '9.00' })).toBe('0.00');
});

test('is the exact share, rounded half up, of any amount and any percentage', () => {
  const tenThousandths = fc.bigInt({ min: 0n, max: 1_000_000n });
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), tenThousandths, (minor, parts) => {
      const decimals = (parts % 10_000n).toString().padStart(4, '0');
      const percent = parts === 1_000_000n ? '100' : `${parts / 10_000n}.${decimals}`;
      const { minor: got } = commissionOn(moneyOfMinor(minor, 'USD'), [row({ percent })]);
      const off = got * 1_000_000n - minor * parts;
      expect(off > -500_000n && off <= 500_000n).toBe(true);
    }),
  );
});

test.each([
  [{ currency: 'XYZ' }, 'currency'],
  [{ percent: '1,5' }, 'percent'],
  [{ percent: '-1' }, 'percent'],
  [{ percent: '101' }, 'percent'],
  [{ percent: '1.23456' }, 'percent'],
  [{ fixed: '0.001' }, 'fixed'],
  [{ min: 'x' }, 'min'],
  [{ min: '2.00', max: '1.00' }, 'max'],
])('a row of %o is refused at %s', (given, path) => {
  const parsed = commissionRowSchema.safeParse({ currency: 'USD', ...given });
  expect(parsed.error?.issues.map((each) => each.path.join('.'))).toEqual([path]);
});
