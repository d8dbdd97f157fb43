import * as fc from '../../../../test/support/properties.ts';
import { describe, expect, test } from 'vitest';
import { defineConnector, type LimitRow, limitsTable, money, moneyOfMinor } from '../../src/index.ts';
import { checkLimits, limitFor, mergeLimits, OPERATIONS } from '../../src/registry.ts';
import { declaration, method } from '../connector/support.ts';

const usd = (text: string) => money(text, 'USD');

describe('a limits table', () => {
  test.for<[string, LimitRow]>([
    ['a min above its max', { currency: 'USD', min: '2', max: '1.99' }],
    ['an amount with too many decimals', { currency: 'USD', min: '0.001' }],
    ['a text that is no amount', { currency: 'USD', max: '1,000' }],
    ['a negative amount', { currency: 'USD', min: '-1' }],
    ['an unknown currency', { currency: 'XXX' }],
  ])('with %s is refused where a connector serves the method, and the row is shown', ([, row]) => {
    const limited = { ...method, limits: limitsTable('a test', [row]) };
    const define = () => defineConnector({ ...declaration, serves: (serve) => [serve(limited, {})] });
    expect(define).toThrow(`Limits row ${JSON.stringify(row)}`);
  });

  test('takes a min that equals its max', () => {
    const table = limitsTable('a test', [{ currency: 'USD', min: '5', max: '5.00' }]);
    expect(checkLimits(table, { operation: 'purchase', amount: usd('5.0') })).toBeUndefined();
    expect(checkLimits(table, { operation: 'purchase', amount: usd('4.99') })).toEqual({ kind: 'below', limit: '5' });
    expect(checkLimits(table, { operation: 'purchase', amount: usd('5.01') })).toEqual({
      kind: 'above',
      limit: '5.00',
    });
  });

  test('says nothing of a currency that it does not name', () => {
    const table = limitsTable('a test', [{ currency: 'USD', max: '1' }]);
    expect(checkLimits(table, { operation: 'purchase', amount: money('500', 'EUR') })).toBeUndefined();
  });

  test.each(['0', '1', '999999999'])(
    'with an edge that is no amount, which no connector may serve, allows no %s',
    (text) => {
      const kindOf = (row: Pick<LimitRow, 'min' | 'max'>) =>
        checkLimits(limitsTable('a test', [{ currency: 'USD', ...row }]), { operation: 'purchase', amount: usd(text) })
          ?.kind;
      expect([kindOf({ min: '0.001' }), kindOf({ max: '1,000' })]).toEqual(['below', 'above']);
    },
  );

  const columns = { operation: 'credit', country: 'KE', operator: 'one' } as const;
  const names = ['operation', 'country', 'operator'] as const;
  const combinations = Array.from({ length: 8 }, (_, bits) => names.filter((_name, at) => (bits >> at) & 1));

  test.for(combinations.map((used) => [used.join(', ') || 'no column', used] as const))(
    'with %s: matches where every named column does, edges included',
    ([, used]) => {
      const row: LimitRow = {
        currency: 'USD',
        min: '10',
        max: '20',
        ...Object.fromEntries(used.map((name) => [name, columns[name]])),
      };
      const table = limitsTable('a test', [row]);
      const query = { ...columns, amount: usd('10') };
      for (const text of ['10', '10.00', '15', '20', '20.00'])
        expect(checkLimits(table, { ...query, amount: usd(text) })).toBeUndefined();
      expect(checkLimits(table, { ...query, amount: usd('9.99') })).toEqual({ kind: 'below', limit: '10' });
      expect(checkLimits(table, { ...query, amount: usd('20.01') })).toEqual({ kind: 'above', limit: '20' });
      for (const name of names) {
        const other = { ...query, amount: usd('1'), [name]: name === 'operation' ? 'purchase' : 'other' };
        expect(limitFor(table, other), name).toBe(used.includes(name) ? undefined : row);
        if (name === 'operation') continue;
        const { [name]: _left, ...absent } = other;
        expect(limitFor(table, absent), `${name} absent`).toBe(used.includes(name) ? undefined : row);
      }
    },
  );

  test('is decided by the first row that matches', () => {
    const table = limitsTable('a test', [
      { currency: 'USD', operator: 'one', min: '50' },
      { currency: 'USD', min: '1' },
      { currency: 'USD', min: '500' },
    ]);
    expect(limitFor(table, { operation: 'purchase', amount: usd('5'), operator: 'one' })?.min).toBe('50');
    expect(limitFor(table, { operation: 'purchase', amount: usd('5'), operator: 'two' })?.min).toBe('1');
  });

  test('is asked after the rows of the MID', () => {
    const table = limitsTable('a test', [{ currency: 'USD', min: '1', max: '2' }]);
    const merged = mergeLimits(table, [{ currency: 'USD', operation: 'credit', max: '900' }]);
    expect(checkLimits(merged, { operation: 'credit', amount: usd('900') })).toBeUndefined();
    expect(checkLimits(merged, { operation: 'purchase', amount: usd('900') })).toEqual({ kind: 'above', limit: '2' });
    expect(mergeLimits(table, [])).toBe(table);
    expect(table.rows).toHaveLength(1);
  });

  test.for([
    ['JPY', 0],
    ['USD', 2],
    ['KWD', 3],
    ['BTC', 8],
  ] as const)('of %s (%i decimals) allows exactly the amounts between its edges', ([currency, exponent]) => {
    expect(money('1', currency).exponent).toBe(exponent);
    const minor = fc.bigInt({ min: 0n, max: 10n ** 15n });
    const step = fc.bigInt({ min: -2n, max: 2n });
    fc.assert(
      fc.property(minor, minor, step, fc.boolean(), fc.constantFrom(...OPERATIONS), (a, b, by, low, operation) => {
        const [min, max] = a < b ? [a, b] : [b, a];
        const near = (low ? min : max) + by;
        const amount = moneyOfMinor(near < 0n ? 0n : near, currency);
        const [least, most] = [moneyOfMinor(min, currency).text, moneyOfMinor(max, currency).text];
        const found = checkLimits(limitsTable('a test', [{ currency, min: least, max: most }]), { operation, amount });
        const expected =
          amount.minor < min
            ? { kind: 'below', limit: least }
            : amount.minor > max
              ? { kind: 'above', limit: most }
              : undefined;
        expect(found).toEqual(expected);
      }),
    );
  });
});
