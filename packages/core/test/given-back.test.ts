import { expect, test } from 'vitest';
import { authorized, declined, money, type ProviderEvent, settled, withGivenBack } from '../src/index.ts';

const ten = money('10.00', 'USD');
const refund: ProviderEvent = {
  kind: 'refund',
  id: 'refund-1/DONE',
  providerReference: 'theirs',
  outcome: settled('refund-1', money('4.00', 'USD')),
};

test.each([settled('theirs', ten), authorized('theirs', ten)])(
  'a lookup that finds money ($status), and what went back of it, reports both under our own reference too',
  (outcome) => {
    expect(withGivenBack(outcome, 'ours', [refund])).toEqual({
      events: [
        {
          kind: 'payment',
          id: `theirs/${outcome.status}/10.00`,
          providerReference: 'theirs',
          merchantReference: 'ours',
          outcome,
        },
        { ...refund, merchantReference: 'ours' },
      ],
    });
  },
);

test('a lookup of which a part is missing reports the money with what is missing, and a decline alone', () => {
  const paid = settled('theirs', ten);
  expect(withGivenBack(paid, 'ours', [], 'The list failed.')).toMatchObject({
    events: [{ kind: 'payment', outcome: paid }],
    incomplete: 'The list failed.',
  });
  const refused = declined('hard', 'declined_by_provider');
  expect(withGivenBack(refused, 'ours', [], 'The list failed.')).toBe(refused);
});

test('a lookup that finds no money, or none that went back, is the outcome alone', () => {
  const refused = declined('hard', 'declined_by_provider');
  expect(withGivenBack(refused, 'ours', [refund])).toBe(refused);
  const paid = settled('theirs', ten);
  expect(withGivenBack(paid, 'ours', [])).toBe(paid);
});
