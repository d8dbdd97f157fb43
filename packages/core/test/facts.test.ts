import { describe, expect, test } from 'vitest';
import { FACTS, knownFacts, mergeFacts, OPTIONAL_FIELDS } from '../src/payment.ts';

describe('facts of a provider', () => {
  test('are merged: a newer value replaces an older one, and nothing replaces no value', () => {
    const known = { arn: '74537604221222132710572', eci: '05' };
    expect(mergeFacts(known, { arn: '', eci: undefined, rrn: '023616588412' })).toEqual({
      ...known,
      rrn: '023616588412',
    });
    expect(mergeFacts(known, { arn: '24537604221222132710573' }).arn).toBe('24537604221222132710573');
    expect(mergeFacts(known)).toEqual(known);
  });

  test('of another form are left out', () => {
    expect(
      knownFacts({
        exchange_rate: '1,08',
        exchange_currency: 'eur',
        exchange_amount: '10.80',
        issuer_bank: 'x'.repeat(256),
      }),
    ).toEqual({ exchange_amount: '10.80' });
    const more = { cvv: '737', approval_code: '831000' };
    expect(knownFacts(more)).toEqual({ approval_code: '831000' });
  });

  test('that a merchant switches on are among those that a provider reports', () => {
    const exchange = FACTS.filter((name) => name.startsWith('exchange_'));
    expect(
      FACTS.filter((name) => !exchange.includes(name)).every((name) => OPTIONAL_FIELDS.some((each) => each === name)),
    ).toBe(true);
    expect(exchange).toHaveLength(4);
  });
});
