import { countries } from '@railyard/core/countries';
import { describe, expect, it } from 'vitest';
import { countryNamed, stateNamed } from '../../src/sessions/place-names.ts';

describe('a country in people’s words', () => {
  it.each([
    ['BR', 'BR'],
    ['bra', 'BR'],
    ['Brasil', 'BR'],
    ['  brasil ', 'BR'],
    ['Brésil', 'BR'],
    ['البرازيل', 'BR'],
    ['USA', 'US'],
    ['United States of America', 'US'],
    ['the Netherlands', 'NL'],
    ['Côte d’Ivoire', 'CI'],
    ["COTE D'IVOIRE", 'CI'],
    ['Trinidad & Tobago', 'TT'],
    ['Türkiye', 'TR'],
    ['Turkey', 'TR'],
    ['Deutschland', 'DE'],
    ['日本', 'JP'],
  ])('is understood: %s', (text, code) => {
    expect(countryNamed(text)).toBe(code);
  });

  it.each(['', ' ', '-', 'Mars', 'constructor', 'x'.repeat(10_000)])('is nothing where it is none: "%s"', (text) => {
    expect(countryNamed(text)).toBeUndefined();
  });

  it('is understood by every name that the platform has for it in English and Portuguese', () => {
    for (const language of ['en', 'pt-BR']) {
      const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
      for (const code of countries.keys()) expect(countryNamed(names.of(code) ?? ''), code).toBe(code);
    }
  });
});

describe('a state in people’s words', () => {
  it('is understood by code and name', () => {
    expect(['ca', 'California', ' CALIFORNIA '].map((text) => stateNamed('US', text))).toEqual(['CA', 'CA', 'CA']);
    expect(stateNamed('CA', 'Québec')).toBe('QC');
    expect([stateNamed('AU', 'vic'), stateNamed('AU', 'Victoria')]).toEqual(['VI', 'VI']);
    expect(stateNamed('US', 'New South Wales')).toBeUndefined();
    expect(stateNamed('BR', 'SP')).toBeUndefined();
  });
});
