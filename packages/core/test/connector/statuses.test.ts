import { describe, expect, test } from 'vitest';
import { money, statusTable } from '../../src/index.ts';

const statuses = statusTable(
  {
    PAID: 'settled',
    REFUSED: { declined: 'hard', code: 'card_declined', reason: 'Refused.' },
    TAKEN_BACK: { later: 'reversal' },
    LAPSED: { later: 'hold-expired' },
    DISPUTED: { later: 'chargeback' },
    DISPUTE_LOST: { later: 'chargeback', result: 'lost' },
    VOIDED: { later: 'reported-by-its-modification' },
  },
  new Map([
    ['51', { kind: 'soft', code: 'insufficient_funds' }],
    ['14', { kind: 'hard', code: 'card_not_valid', reason: 'No such card.' }],
  ]),
);
const amount = money('10.00', 'EUR');
const facts = (word: string, code?: string) => ({ word, providerReference: 'p-1', amount, code });

test('a word with an explanation means the same as without, and the explanation is kept', () => {
  const explained = statusTable({ PAID: 'settled', HELD: { meaning: 'pending', says: 'held for review' } });
  expect(explained.rows).toEqual({ PAID: 'settled', HELD: 'pending' });
  expect(explained.says).toEqual({ HELD: 'held for review' });
  expect(explained.read(facts('HELD')).status).toBe('pending');
});

describe('the events of a status word', () => {
  const event = (word: string) => ({
    id: 'e-1',
    providerReference: 'p-1',
    merchantReference: 'ours',
    provider: { status: word },
  });

  test.each(['PAID', 'REFUSED', 'NEW_WORD'])('are one with the outcome of %s', (word) => {
    expect(statuses.events('e-1', 'ours', facts(word))).toEqual([
      { ...event(word), kind: 'payment', outcome: statuses.read(facts(word)) },
    ]);
  });

  test.each([
    ['TAKEN_BACK', { kind: 'reversal', amount }],
    ['LAPSED', { kind: 'hold-expired' }],
    ['DISPUTED', { kind: 'chargeback', amount }],
    ['DISPUTE_LOST', { kind: 'chargeback', amount, result: 'lost' }],
  ])('are what happened after the payment, for %s', (word, said) => {
    expect(statuses.events('e-1', 'ours', facts(word))).toEqual([{ ...event(word), ...said }]);
  });

  test('are none where a modification reports itself', () => {
    expect(statuses.events('e-1', 'ours', facts('VOIDED'))).toEqual([]);
  });

  test('name our reference only where the provider repeats it', () => {
    expect(statuses.events('e-1', undefined, facts('LAPSED'))).not.toHaveProperty('0.merchantReference');
  });
});

test('a word of what happened after a payment is no outcome of it', () => {
  for (const word of ['TAKEN_BACK', 'LAPSED', 'DISPUTED', 'VOIDED'])
    expect(statuses.read(facts(word))).toMatchObject({ status: 'unknown', providerReference: 'p-1' });
});

test.each([
  [undefined, { kind: 'hard', code: 'card_declined', reason: 'Refused.' }],
  ['05', { kind: 'hard', code: 'card_declined', reason: 'Refused.' }],
  ['51', { kind: 'soft', code: 'insufficient_funds', reason: 'There is not enough money in the account.' }],
  ['14', { kind: 'hard', code: 'card_not_valid', reason: 'No such card.' }],
])('a decline with the code %s says %j', (code, said) => {
  expect(statuses.read(facts('REFUSED', code))).toMatchObject({ status: 'declined', ...said });
});

test('a code decides nothing about a payment that is not declined', () => {
  expect(statuses.read(facts('PAID', '51')).status).toBe('settled');
});

test('an outcome keeps the values of the connector that are known, and none where none is', () => {
  const keeping = (connectorState: Readonly<Record<string, string | undefined>>) =>
    statuses.read({ ...facts('PAID'), connectorState });
  expect(keeping({ capture: 'c-1', hold: undefined })).toHaveProperty('connectorState', { capture: 'c-1' });
  expect(Object.keys(keeping({ capture: 'c-1', hold: undefined }).connectorState ?? {})).toEqual(['capture']);
  expect(keeping({ hold: undefined })).not.toHaveProperty('connectorState');
});

test('a reply about another payment than the one that was asked for is unknown, whatever its word says', () => {
  const said = { ...facts('PAID'), merchantReference: 'ours' };
  expect(statuses.read(said, { merchantReference: 'ours', providerReference: 'p-1' })).toEqual(statuses.read(said));
  for (const asked of [{ merchantReference: 'another' }, { providerReference: 'p-2' }])
    expect(statuses.read(said, asked)).toEqual({
      status: 'unknown',
      why: 'The provider’s reply refers to a different payment.',
    });
  expect(statuses.read(facts('PAID'), { merchantReference: 'another' })).toMatchObject({ status: 'settled' });
});
