import { isValidCpf } from '@brazilian-utils/brazilian-utils';
import * as fc from '../../../test/support/properties.ts';
import { describe, expect, it } from 'vitest';
import { checkCpf, isCpf, normaliseCpf } from '../src/cpf.ts';
import { completions, digits, replaceAt } from './digits.ts';
import published from './fixtures/national-ids.json' with { type: 'json' };

const { valid, invalid } = published.types['br.cpf'];

describe('CPF', () => {
  it.each(valid)('accepts the published $input once normalised', ({ input, compact }) => {
    expect(normaliseCpf(input)).toBe(compact);
    expect(checkCpf(compact)).toEqual({ ok: true, cpf: compact });
  });

  it.each(invalid)('refuses the published $input', ({ input, why }) => {
    const reason = why === 'InvalidChecksum' ? 'checksum' : 'format';
    expect(checkCpf(normaliseCpf(input))).toEqual({ ok: false, reason });
  });

  it.each([
    '',
    '3905334470',
    '390533447055',
    '390.533.447-05',
    ' 39053344705',
    '3905334470x',
    '３９０５３３４４７０５',
  ])('says that %j has the wrong format', (text) => {
    expect(checkCpf(text)).toEqual({ ok: false, reason: 'format' });
  });

  it.each(Array.from('0123456789'))('refuses the digit %s eleven times, although its arithmetic holds', (digit) => {
    expect(checkCpf(digit.repeat(11))).toEqual({ ok: false, reason: 'checksum' });
  });

  it('keeps a character that is not a separator, so that the number stays wrong', () => {
    expect(normaliseCpf('390.533.447=05')).toBe('390533447=05');
  });

  it('finds exactly one pair of check digits for nine digits', () => {
    fc.assert(
      fc.property(
        digits(9).filter((stem) => new Set(stem).size > 1),
        (stem) => {
          expect(completions(stem, isCpf)).toHaveLength(1);
        },
      ),
    );
  });

  it('refuses every change of one digit where the first check digit is not 0', () => {
    fc.assert(
      fc.property(digits(9), fc.nat(10), fc.integer({ min: 1, max: 9 }), (stem, at, shift) => {
        const cpf = completions(stem, isCpf)[0];
        fc.pre(cpf !== undefined && cpf.charAt(9) !== '0');
        expect(isCpf(replaceAt(cpf, at, String((Number(cpf.charAt(at)) + shift) % 10)))).toBe(false);
      }),
    );
  });

  it('cannot see some changes where the first check digit is 0, because remainders 0 and 1 share it', () => {
    const twins = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((first) => completions(`${first}00000020`, isCpf));
    const tails = twins.map((cpf) => cpf.slice(1));
    expect(new Set(tails).size).toBeLessThan(tails.length);
  });

  it('agrees with an independent implementation on eleven digits', () => {
    const near = digits(9).chain((stem) => fc.constantFrom(...completions(stem, isCpf), `${stem}00`));
    fc.assert(
      fc.property(fc.oneof(digits(11), near), (text) => {
        expect(isCpf(text)).toBe(isValidCpf(text));
      }),
    );
  });
});
