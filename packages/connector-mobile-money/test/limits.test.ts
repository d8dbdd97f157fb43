import { describe, expect, it } from 'vitest';
import { operators } from '../src/index.ts';
import published from './fixtures/mobile-money.json' with { type: 'json' };
import { answer, payoutOf, registry, today } from './support/sessions.ts';

/** The limits table of the protocol (2-methods.md, Limits), row by row, with the operators that each row counts. */
const ROWS = [
  {
    country: 'Ghana',
    currency: 'GHS',
    min: '1.00',
    max: '50000.00',
    unit: 1n,
    operators: ['airtel-gh', 'mtn-gh', 'tigo-gh', 'vodafone-gh'],
    number: '233231234567',
  },
  {
    country: 'Kenya, first two',
    currency: 'KES',
    min: '10.00',
    max: '150000.00',
    unit: 1n,
    operators: ['safaricom-ke', 'airtel-ke'],
    number: '254712345678',
  },
  {
    country: 'Kenya, one',
    currency: 'KES',
    min: '10.00',
    max: '100000.00',
    unit: 1n,
    operators: ['equitel-ke'],
    number: '254712345678',
  },
  {
    country: 'Kenya, last two',
    currency: 'KES',
    min: '50.00',
    max: '200000.00',
    unit: 1n,
    operators: ['t-kash-ke', 'telcom-ke'],
    number: '254712345678',
  },
  {
    country: 'Cote d’Ivoire',
    currency: 'XOF',
    min: '2.00',
    max: '2000000.00',
    unit: 100n,
    operators: ['moov-ci', 'mtn-ci', 'orange-ci', 'wave-ci'],
    number: '2250123456789',
  },
  {
    country: 'Cameroon, first',
    currency: 'XAF',
    min: '2.00',
    max: '1000000.00',
    unit: 100n,
    operators: ['mtn-cm'],
    number: '237671234567',
  },
  {
    country: 'Cameroon, second',
    currency: 'XAF',
    min: '2.00',
    max: '500000.00',
    unit: 100n,
    operators: ['orange-cm'],
    number: '237671234567',
  },
  {
    country: 'Tanzania',
    currency: 'TZS',
    min: '1000.00',
    max: '30000.00',
    unit: 1n,
    operators: ['airtel-tz', 'halopesa-tz', 'tigo-tz', 'vodacom-tz'],
    number: '255621234567',
  },
  {
    country: 'Egypt',
    currency: 'EGP',
    min: '1.00',
    max: '30000.00',
    unit: 1n,
    operators: ['aman-eg', 'etisalat-eg', 'orange-eg', 'vodafone-eg'],
    number: '201001234567',
  },
] as const;

const cents = (text: string) => BigInt(text.replace('.', ''));
const written = (units: bigint) => `${units / 100n}.${String(units % 100n).padStart(2, '0')}`;
const bare = (text: string) => text.replace(/\.00$/, '');

/** The four edges of a row: just below, the least, the most, just above. */
const EDGES = ROWS.flatMap(({ min, max, unit, ...row }) =>
  row.operators.flatMap((operator) => [
    { ...row, operator, amount: written(cents(min) - unit), expected: `greater than or equal to ${bare(min)}.` },
    { ...row, operator, amount: min, expected: undefined },
    { ...row, operator, amount: max, expected: undefined },
    { ...row, operator, amount: written(cents(max) + unit), expected: `less than or equal to ${bare(max)}.` },
  ]),
);

describe('a payout', () => {
  it.each(EDGES)('of $amount $currency to $operator ($country): $expected', (edge) => {
    const { operator, amount, currency, number, expected } = edge;
    const parameters = { mobile_money_operator: operator, mobile_number: number };
    const found = answer(payoutOf(parameters, amount, currency)).filter((line) => !line.startsWith('warning '));
    expect(found).toEqual(expected === undefined ? [] : [`order.amount: This value should be ${expected}`]);
  });

  it('has nine rows of limits, and the 23 operators of the published list', () => {
    expect(ROWS).toHaveLength(9);
    expect(
      operators.map(({ slug, country, currency, min, max }) => ({
        slug,
        country,
        currency,
        min: Number(min),
        max: Number(max),
      })),
    ).toEqual(
      published.operators.map(({ slug, country, currency, min, max }) => ({ slug, country, currency, min, max })),
    );
    expect(operators).toHaveLength(23);
  });

  it('may have limits of the account, by operator, before those of the method', () => {
    const limits = [{ currency: 'TZS', operator: 'airtel-tz', max: '5000000' }];
    const profile = { methods: { 'mobile-money': { method: 'mobile-money', limits } } };
    const to = (operator: string) =>
      answer(
        payoutOf({ mobile_money_operator: operator, mobile_number: '+255621234567' }, '5000000.00', 'TZS'),
        profile,
      );
    expect(to('airtel-tz')).toEqual([]);
    expect(to('tigo-tz')).toEqual(['order.amount: This value should be less than or equal to 30000.']);
  });
});

describe('a collection', () => {
  it('has no limits of its own', () => {
    const session = payoutOf({}, '9999999.00', 'KES', {
      operation: 'purchase',
      parameters: { 'mobile-money': { mobile_number: '+254712345678' } },
    });
    expect(registry.validate(session, { today })).toMatchObject({ ok: true });
  });
});
