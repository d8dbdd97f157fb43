import * as fc from '../../../test/support/properties.ts';
import { money, settled } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import { readBody } from '../src/codecs.ts';
import { storableOutcome, storableReport } from '../src/storable.ts';

/** Whatever a database keeps as it is. */
const keeps = (value: unknown): boolean => {
  if (typeof value === 'string') return !value.includes('\0') && !/\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, each]) => keeps(name) && keeps(each));
};

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\0', '\ud800', '\udc00x', 'a\0b', '\uffff', '\ud83d\ude00', 'x'.repeat(10_000)),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.array(tie('value')), fc.dictionary(text, tie('value'))),
})).value;

describe('what a provider answers', () => {
  test('is read without what no database keeps, in names and in texts', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(keeps(readBody(JSON.stringify({ value }), 'json'))).toBe(true);
      }),
    );
    fc.assert(
      fc.property(text, (value) => {
        expect(keeps(readBody(value, 'text'))).toBe(true);
      }),
    );
    expect(readBody('a%00=b%00', 'form')).toEqual({ 'a\uFFFD': 'b\uFFFD' });
  });

  test('keeps everything else as it was', () => {
    const sound = { a: ['\u{1F600}', '\uFFFF', 1, true, null, '1.10'], 'b c': { d: 'ß' } };
    expect(readBody(JSON.stringify(sound), 'json')).toEqual(sound);
  });

  test('is not read where it is nested deeper than a provider answers', () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(readBody(nested(60), 'json')).toBeDefined();
    for (const levels of [64, 5000, 100_000]) expect(readBody(nested(levels), 'json')).toBeUndefined();
  });
});

const amount = money('10.00', 'BRL');
const bad = ['col\0', 'col\uFFFD', '\ud800'];

describe('an outcome', () => {
  test.each(bad)('under a reference that cannot be kept is unknown (%j)', (reference) => {
    expect(storableOutcome(settled(reference, amount))).toEqual({ status: 'unknown', why: expect.any(String) });
    expect(storableOutcome(settled('col', amount, { connectorState: { id: reference } })).status).toBe('unknown');
    const event = { id: 'e', providerReference: reference, kind: 'chargeback', amount } as const;
    expect(storableReport({ events: [event] })).toMatchObject({ status: 'unknown' });
  });

  test('of an incomplete lookup keeps which part is missing', () => {
    const event = { id: 'e', providerReference: 'col', kind: 'chargeback', amount } as const;
    expect(storableReport({ events: [event], incomplete: 'no\0 list' })).toEqual({
      events: [event],
      incomplete: 'no\uFFFD list',
    });
  });

  test('has words that can be kept, and its amount unchanged', () => {
    const outcome = storableOutcome(settled('col', amount, { provider: { message: 'no\0 \ud800', status: 'PAID' } }));
    expect(outcome).toEqual(settled('col', amount, { provider: { message: 'no\uFFFD \uFFFD', status: 'PAID' } }));
  });
});
