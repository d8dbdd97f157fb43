import { describe, expect, it } from 'vitest';
import { countries, country, protocolState, statesOf } from '../src/countries.ts';
import { countriesWithStates, countryCodes } from '../src/country-codes.ts';
import { isoState } from '../src/formats.ts';

describe('the country table', () => {
  it('has the 249 countries of ISO 3166-1 and Kosovo, each with three codes of its own and a name', () => {
    const all = [...countries.values()];
    expect(all).toHaveLength(250);
    for (const { alpha2, alpha3, numeric, name } of all) {
      expect(alpha2).toMatch(/^[A-Z]{2}$/);
      expect(alpha3).toMatch(/^[A-Z]{3}$/);
      expect(numeric).toMatch(/^\d{3}$/);
      expect(name).toMatch(/^\p{Lu}[\p{L} ,.'()-]+$/u);
    }
    expect(new Set(all.flatMap(({ alpha2, alpha3, numeric }) => [alpha2, alpha3, numeric])).size).toBe(3 * 250);
  });

  it('finds a country by any of its codes', () => {
    const brazil = { alpha2: 'BR', alpha3: 'BRA', numeric: '076', name: 'Brazil' };
    for (const code of ['BR', 'BRA', '076']) expect(country(code)).toEqual(brazil);
    expect(country('XK')?.name).toBe('Kosovo');
  });

  it('agrees with the names that the platform gives to the codes', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    for (const code of countries.keys()) expect(names.of(code), code).toBeDefined();
    expect(countries.get('CZ')?.name).toBe(names.of('CZ'));
  });

  it.each(['br', 'UK', 'constructor', '', '76'])('does not know "%s"', (code) => {
    expect(country(code)).toBeUndefined();
  });

  it('has the codes that sessions are checked with, and no others', () => {
    expect([...countryCodes].sort()).toEqual([...countries.keys()].sort());
    for (const code of countriesWithStates) expect(countryCodes, code).toContain(code);
  });
});

describe('the states of a country', () => {
  it('are defined for the countries whose addresses carry one, and of no other', () => {
    for (const code of countryCodes) expect(statesOf(code).size > 0, code).toBe(countriesWithStates.has(code));
    expect([...countriesWithStates].map((code) => statesOf(code).size)).toEqual([59, 13, 8, 47, 36]);
  });

  it('have codes of two letters and names of their own', () => {
    for (const code of countriesWithStates) {
      const states = [...statesOf(code)];
      for (const [state] of states) expect(state).toMatch(/^[A-Z]{2}$/);
      expect(new Set(states.map(([, name]) => name)).size, code).toBe(states.length);
    }
  });

  it('are those of ISO 3166-2 for providers, and are read in both forms where both are letters', () => {
    const iso = (code: string) => [...statesOf(code).keys()].map((state) => isoState(code, state));
    expect(iso('AU')).toEqual(['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA']);
    expect(iso('JP').toSorted()).toEqual(Array.from({ length: 47 }, (_, at) => String(at + 1).padStart(2, '0')));
    expect([isoState('JP', 'TK'), isoState('JP', 'ON'), isoState('US', 'VI'), isoState('AU', 'vi')]).toEqual([
      '13',
      '47',
      'VI',
      'VIC',
    ]);
    for (const code of ['AU', 'CA', 'IN', 'US'])
      for (const state of statesOf(code).keys()) expect(protocolState(code, isoState(code, state) ?? '')).toBe(state);
    expect(protocolState('JP', '13')).toBe('13');
  });
});
