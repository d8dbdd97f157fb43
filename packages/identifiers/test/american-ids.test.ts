import { describe, expect, it } from 'vitest';
import { isCbu, isCbuAlias } from '../src/cbu.ts';
import { isCci } from '../src/cci.ts';
import { isCuit, normaliseCuit } from '../src/cuit.ts';
import { isCurp } from '../src/curp.ts';
import { isPeruvianDni } from '../src/dni.ts';
import { isColombianNit } from '../src/nit.ts';
import { isPeruvianRuc } from '../src/ruc.ts';
import { isRut, normaliseRut } from '../src/rut.ts';
import { isTckn } from '../src/tckn.ts';
import accounts from './fixtures/bank-accounts.json' with { type: 'json' };
import ids from './fixtures/national-ids.json' with { type: 'json' };
import { completions, digits } from './digits.ts';
import * as fc from '../../../test/support/properties.ts';

const published = [
  ['CBU', 'ar.cbu', isCbu],
  ['CUIT', 'ar.cuit', (text: string) => isCuit(normaliseCuit(text))],
  ['CURP', 'mx.curp', isCurp],
  ['RUT', 'cl.rut', (text: string) => isRut(normaliseRut(text.replace('CL ', '')))],
  ['Peruvian RUC', 'pe.ruc', isPeruvianRuc],
  ['Turkish identity number', 'tr.tckimlik', isTckn],
] as const;

/** Its first four letters are a word that is not given out, which nobody looks up. */
const WORD = 'BACA890909MJCRMS05';

describe.each(published)('a %s', (_name, type, accepts) => {
  const { valid, invalid } = ids.types[type];

  it.each(valid.map(({ input }) => input))('is %s', (text) => {
    expect(accepts(text)).toBe(true);
  });

  it.each(invalid.filter(({ input }) => input !== WORD))('is not $input: $why', ({ input }) => {
    expect(accepts(input)).toBe(false);
  });

  it.each(['', ' ', '0'.repeat(30), 'x'.repeat(11)])('is not %j', (text) => {
    expect(accepts(text)).toBe(false);
  });
});

it('does not look at the word that a CURP begins with', () => {
  expect(isCurp(WORD)).toBe(true);
});

describe('an alias of an account in Argentina', () => {
  it('has 6 to 20 characters', () => {
    expect([5, 6, 20, 21].map((length) => isCbuAlias('a'.repeat(length)))).toEqual([false, true, true, false]);
  });

  it.each([
    ['mesa.rio.luna', true],
    ['Casa-2026', true],
    ['año.nuevo', false],
    ['mesa rio', false],
    ['mesa_rio', false],
  ])('is %j: %s', (text, expected) => {
    expect(isCbuAlias(text)).toBe(expected);
  });
});

describe('a CCI', () => {
  it.each(accounts.cci.valid)('is %s', (text) => {
    expect(isCci(text)).toBe(true);
  });

  it.each([...accounts.cci.placeholders.map(({ v }) => v), '0113660001000325422', '011366000100032542210'])(
    'is not %s',
    (text) => {
      expect(isCci(text)).toBe(false);
    },
  );

  it('has one pair of check digits', () => {
    fc.assert(
      fc.property(digits(18), (stem) => {
        expect(completions(stem, isCci)).toHaveLength(1);
      }),
    );
  });
});

/** 10117410 with its digit 2, and 3 as a wrong one: python-stdnum, stdnum/pe/cui.py, doctest. */
describe('a DNI of Peru', () => {
  it.each(['10117410', '101174102', '10117410G'])('is %s', (text) => {
    expect(isPeruvianDni(text)).toBe(true);
  });

  it.each(['101174103', '1011741', '1011741022', '10117410g', '10117410-2', '1011741A', ''])('is not %j', (text) => {
    expect(isPeruvianDni(text)).toBe(false);
  });

  it('has one check digit and one check letter', () => {
    fc.assert(
      fc.property(digits(8), (stem) => {
        expect([...'0123456789'].filter((digit) => isPeruvianDni(`${stem}${digit}`))).toHaveLength(1);
        expect([...'ABCDEFGHIJK'].filter((letter) => isPeruvianDni(`${stem}${letter}`))).toHaveLength(1);
      }),
    );
  });
});

describe('a NIT of Colombia', () => {
  // Published samples of the npm package stdnum 1.11.7, co/nit.spec.ts.
  it.each(['2131234321', '10184648519', '9005444722'])('is %s', (text) => {
    expect(isColombianNit(text)).toBe(true);
  });

  it.each(['2131234325', '21312', '1234567', '213.123.432-1', '1'.repeat(17), '21312343K1', ''])(
    'is not %j',
    (text) => {
      expect(isColombianNit(text)).toBe(false);
    },
  );

  it('has one check digit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 7, max: 15 }).chain(digits), (stem) => {
        expect([...'0123456789'].filter((digit) => isColombianNit(`${stem}${digit}`))).toHaveLength(1);
      }),
    );
  });
});

it('has a CBU, a CUIT, a RUT and a RUC with one check digit at the most', () => {
  const last = (stem: string, accepts: (text: string) => boolean) =>
    [...'0123456789K'].filter((digit) => accepts(`${stem}${digit}`)).length;
  fc.assert(
    fc.property(digits(13), digits(8), (account, number) => {
      expect(last(`28505909${account}`, isCbu)).toBe(1);
      expect(last(number, isRut)).toBe(1);
      expect(last(`30${number}`, isCuit)).toBe(1);
      expect(last(`20${number}`, isPeruvianRuc)).toBe(1);
    }),
  );
});
