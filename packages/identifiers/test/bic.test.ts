import { describe, expect, it } from 'vitest';
import { isBic, normaliseBic } from '../src/bic.ts';
import published from './fixtures/national-ids.json' with { type: 'json' };

const { valid, invalid } = published.types.bic;

describe('a BIC', () => {
  it.each(valid)('is $input, once normalised', ({ input, compact }) => {
    const bare = normaliseBic(input);
    if (compact !== undefined) expect(bare).toBe(compact);
    expect(isBic(bare)).toBe(true);
  });

  it.each(invalid)('is not $input ($why)', ({ input }) => {
    expect(isBic(input)).toBe(false);
  });

  it.each(['', 'AGRIFRP', 'AGRIFRPP88', 'AGRIFRPP8822', 'agrifrpp', 'AGRI FRPP', 'AGRIXXPP', '1GRIFRPP'])(
    'is not %j',
    (text) => {
      expect(isBic(text)).toBe(false);
    },
  );
});
