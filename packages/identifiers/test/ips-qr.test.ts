import { describe, expect, it } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { buildIpsQr, type IpsQr, parseIpsQr } from '../src/ips-qr.ts';
import published from './fixtures/ips-qr.json' with { type: 'json' };

const tags = {
  K: 'PR',
  V: '01',
  C: '1',
  R: '840000000095584510',
  N: 'Čigra doo',
  I: 'RSD1025,12',
};
/** The text of a code with other tags, or without one. */
const textWith = (change: Readonly<Record<string, string | undefined>> = {}) =>
  Object.entries({ ...tags, ...change })
    .flatMap(([tag, value]) => (value === undefined ? [] : [`${tag}:${value}`]))
    .join('|');
const code: IpsQr = { kind: 'PT', account: tags.R, payee: 'Čigra doo', amount: '1025.12' };
const x = (length: number) => 'x'.repeat(length);

describe('a published code', () => {
  it.each(published.valid)('is read and written again: %s', (text) => {
    const read = parseIpsQr(text);
    expect(read).toMatchObject({ ok: true });
    expect(read.ok && buildIpsQr(read.code)).toEqual({ ok: true, text });
  });

  it.each(published.invalidByRule)('is refused: $rule', ({ s }) => {
    expect(parseIpsQr(s)).toMatchObject({ ok: false });
  });

  it('says who is paid, how much and what for', () => {
    expect(parseIpsQr(published.valid[0] ?? '')).toEqual({
      ok: true,
      code: {
        kind: 'PR',
        account: '845000000040484987',
        payee: 'JP EPS BEOGRAD\r\nBALKANSKA 13',
        amount: '3596.13',
        payer: 'MRĐO MAČKATOVIĆ\r\nŽUPSKA 13\r\nBEOGRAD 6',
        purposeCode: '189',
        purpose: 'UPLATA PO RAČUNU ZA EL. ENERGIJU',
        reference: '97163220000111111111000',
      },
    });
  });
});

describe('a value', () => {
  it.each([
    ['K', ['PR', 'PT', 'PK', 'EK'], ['P', 'pr', 'XX']],
    ['V', ['01'], ['1', '02']],
    ['C', ['1'], ['0', '01']],
    ['R', ['845000000040484987'], ['840000000095584511', '84000000009558451', '8400000000955845100', '840-95584-51']],
    ['N', ['x', x(70), 'Ž'.repeat(70), 'one\ntwo'], [x(71)]],
    [
      'I',
      ['RSD0,01', 'RSD1,', 'RSD1,5', 'RSD999999999999999,99'],
      [
        'RSD,01',
        'RSD0,00',
        'RSD0,',
        'RSD1',
        'RSD1.00',
        'RSD1.000,00',
        'RSD01,00',
        'RSD1,000',
        'EUR1,00',
        'RSD1000000000000000,00',
      ],
    ],
    ['P', ['x', x(70)], [x(71)]],
    ['SF', ['189'], ['18', '1890', '18A']],
    ['S', ['x', x(35)], [x(36)]],
    ['RO', ['971', `97${x(33)}`, '97-1234'], ['97', `97${x(34)}`, 'A7123', '97 123']],
  ])('of %s is right or wrong by its form', (tag, right, wrong) => {
    for (const value of right)
      expect([value, parseIpsQr(textWith({ [tag]: value }))]).toMatchObject([value, { ok: true }]);
    for (const value of wrong)
      expect([value, parseIpsQr(textWith({ [tag]: value }))]).toEqual([
        value,
        { ok: false, reason: 'invalid', field: tag },
      ]);
  });
});

describe('a text', () => {
  it.each(Object.keys(tags).slice(1))('without %s is refused', (tag) => {
    expect(parseIpsQr(textWith({ [tag]: undefined }))).toEqual({ ok: false, reason: 'missing', field: tag });
  });

  it.each([
    ['that begins with another tag', textWith({ K: undefined }), { reason: 'structure', field: 'V' }],
    ['with a tag twice', `${textWith()}|I:RSD1,00`, { reason: 'repeated', field: 'I' }],
    ['with white space before it', ` ${textWith()}`, { reason: 'structure', field: ' K' }],
    ['with a part that has no tag', `${textWith()}|SF`, { reason: 'structure', field: '' }],
    ['with a long tag', `${textWith()}|ABC:1`, { reason: 'structure', field: 'ABC' }],
    ['that fits no code', `${textWith()}|XX:${x(331)}`, { reason: 'structure', field: '' }],
    ['that is empty', '', { reason: 'structure', field: '' }],
  ])('%s is refused', (_says, text, failure) => {
    expect(parseIpsQr(text)).toEqual({ ok: false, ...failure });
  });

  it('with a tag for other readers is read', () => {
    expect(parseIpsQr(`${textWith()}|M:5411`)).toMatchObject({ ok: true, code: { amount: '1025.12' } });
  });

  it('of anything is answered', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(typeof parseIpsQr(text).ok).toBe('boolean');
      }),
    );
  });
});

describe('a code that is written', () => {
  it('has a comma in its amount, whatever the number of decimals', () => {
    expect(['5', '5.5', '5.50'].map((amount) => buildIpsQr({ ...code, amount }))).toEqual(
      ['5,', '5,5', '5,50'].map((amount) => ({ ok: true, text: textWith({ K: 'PT', I: `RSD${amount}` }) })),
    );
  });

  it('has no value that begins another tag', () => {
    expect(buildIpsQr({ ...code, payee: 'Shop|I:RSD1,00' })).toEqual({ ok: false, reason: 'invalid', field: 'N' });
    expect(buildIpsQr({ ...code, purpose: 'a|b' })).toEqual({ ok: false, reason: 'invalid', field: 'S' });
  });

  it.each([{ amount: '0.00' }, { amount: '1.005' }, { account: '1' }, { payee: '' }, { purposeCode: '1' }])(
    'is refused with %o',
    (change) => {
      expect(buildIpsQr({ ...code, ...change })).toMatchObject({ ok: false });
    },
  );
});
