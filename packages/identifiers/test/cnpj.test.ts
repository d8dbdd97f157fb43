import { isValidCnpj } from '@brazilian-utils/brazilian-utils';
import * as fc from '../../../test/support/properties.ts';
import { describe, expect, it } from 'vitest';
import { checkCnpj, isCnpj, normaliseCnpj } from '../src/cnpj.ts';
import { completions, digits, replaceAt } from './digits.ts';
import published from './fixtures/national-ids.json' with { type: 'json' };

const { valid, invalid } = published.types['br.cnpj'];

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const stems = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 12, maxLength: 12 });

describe('CNPJ', () => {
  it.each(valid)('accepts the published $input once normalised', ({ input, compact }) => {
    const cnpj = normaliseCnpj(input);
    expect(cnpj).toBe(compact ?? input.replace(/[./-]/g, ''));
    expect(checkCnpj(cnpj)).toEqual({ ok: true, cnpj, alphanumeric: /[A-Z]/.test(cnpj) });
  });

  it.each(invalid)('refuses the published $input', ({ input, why }) => {
    const reason = why === 'InvalidChecksum' ? 'checksum' : 'format';
    expect(checkCnpj(normaliseCnpj(input))).toEqual({ ok: false, reason });
  });

  it('accepts the official example with letters and refuses its neighbour', () => {
    expect(checkCnpj('12ABC34501DE35')).toEqual({ ok: true, cnpj: '12ABC34501DE35', alphanumeric: true });
    expect(checkCnpj('12ABC34501DE36')).toEqual({ ok: false, reason: 'checksum' });
  });

  it.each([
    '',
    '1672723000019',
    '167272300001977',
    '16.727.230/0001-97',
    '12abc34501de35',
    '12ABC34501DE3A',
    '12ÂBC34501DE35',
  ])('says that %j has the wrong format', (text) => {
    expect(checkCnpj(text)).toEqual({ ok: false, reason: 'format' });
  });

  it('refuses fourteen zeros, although their arithmetic holds', () => {
    expect(checkCnpj('0'.repeat(14))).toEqual({ ok: false, reason: 'checksum' });
  });

  it('puts only a to z in upper case, so that a look-alike letter is not repaired', () => {
    expect(normaliseCnpj('12.abc.345/01de-35')).toBe('12ABC34501DE35');
    expect(isCnpj(normaliseCnpj('12ab\u017F34501de35'))).toBe(false);
  });

  it('finds exactly one pair of check digits for twelve characters', () => {
    fc.assert(
      fc.property(
        fc.oneof(stems, digits(12)).filter((stem) => new Set(stem).size > 1),
        (stem) => {
          expect(completions(stem, isCnpj)).toHaveLength(1);
        },
      ),
    );
  });

  it('refuses a changed character where the first check digit is not 0 and the values differ modulo 11', () => {
    fc.assert(
      fc.property(fc.oneof(stems, digits(12)), fc.nat(11), fc.constantFrom(...ALPHABET), (stem, at, other) => {
        const cnpj = completions(stem, isCnpj)[0];
        fc.pre(cnpj !== undefined && cnpj.charAt(12) !== '0');
        fc.pre((cnpj.charCodeAt(at) - other.charCodeAt(0)) % 11 !== 0);
        expect(isCnpj(replaceAt(cnpj, at, other))).toBe(false);
      }),
    );
  });

  it('agrees with an independent implementation on fourteen characters', () => {
    const near = fc
      .oneof(stems, digits(12))
      .chain((stem) => fc.constantFrom(...completions(stem, isCnpj), `${stem}00`));
    fc.assert(
      fc.property(fc.oneof(digits(14), near), (text) => {
        expect(isCnpj(text)).toBe(isValidCnpj(text, { version: /[A-Z]/.test(text) ? 2 : 1 }));
      }),
    );
  });
});
