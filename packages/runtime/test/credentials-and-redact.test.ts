import { JsonNumberLiteral } from '@railyard/core';
import { CardHandle } from '@railyard/core/driver';
import { describe, expect, test } from 'vitest';
import { memoryCredentials, redact } from '../src/index.ts';

describe('credentials', () => {
  const got = (value: string, lifetimeSeconds = 100) => Promise.resolve({ value, lifetimeSeconds });

  test('are kept for their lifetime less a tenth, at most ten seconds', async () => {
    let now = 0;
    const credentials = memoryCredentials(() => now);
    expect(await credentials.get('m1', () => got('a'))).toBe('a');
    now = 89_999;
    expect(await credentials.get('m1', () => got('b'))).toBe('a');
    now = 90_000;
    expect(await credentials.get('m1', () => got('b', 1000))).toBe('b');
    now = 90_000 + 989_999;
    expect(await credentials.get('m1', () => got('c'))).toBe('b');
    now += 1;
    expect(await credentials.get('m1', () => got('c'))).toBe('c');
  });

  test('of one name are asked for once, however many wait', async () => {
    const credentials = memoryCredentials(() => 0);
    let asked = 0;
    const fetch = () => got(`t${(asked += 1)}`);
    const all = await Promise.all([1, 2, 3].map(() => credentials.get('m1', fetch)));
    expect([...all, asked]).toEqual(['t1', 't1', 't1', 1]);
    expect(await credentials.get('m2', fetch)).toBe('t2');
  });

  test('that are dropped late do not take a newer one with them', async () => {
    const credentials = memoryCredentials(() => 0);
    await credentials.get('m1', () => got('old'));
    credentials.drop('m1', 'old');
    await credentials.get('m1', () => got('new'));
    credentials.drop('m1', 'old');
    expect(await credentials.get('m1', () => got('never'))).toBe('new');
  });

  test('that could not be got are asked for again', async () => {
    const credentials = memoryCredentials(() => 0);
    expect(await credentials.get('m1', () => Promise.resolve(undefined))).toBeUndefined();
    await expect(credentials.get('m1', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await credentials.get('m1', () => got('a'))).toBe('a');
  });
});

describe('redaction', () => {
  const value = {
    id: 'c1',
    payer: { name: 'Ada', city: 'X' },
    items: [{ name: 'a', price: new JsonNumberLiteral('10.50') }],
    card: new CardHandle('number'),
    none: null,
  };

  test('masks everything that is not named', () => {
    expect(redact(value, [])).toEqual({
      id: '•••',
      payer: { name: '•••', city: '•••' },
      items: [{ name: '•••', price: '•••' }],
      card: '•••',
      none: null,
    });
  });

  test('shows what is named by its whole name, and a card never', () => {
    expect(redact(value, ['id', 'name', 'payer.city', 'items.price', 'card'])).toEqual({
      id: 'c1',
      payer: { name: '•••', city: 'X' },
      items: [{ name: '•••', price: '10.50' }],
      card: '•••',
      none: null,
    });
  });
});
