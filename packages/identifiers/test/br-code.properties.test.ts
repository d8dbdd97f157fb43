import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils';
import * as fc from '../../../test/support/properties.ts';
import { describe, expect, it } from 'vitest';
import { buildBrCode, parseBrCode, type BrCodeInput } from '../src/br-code.ts';
import { crc16 } from '../src/br-code/crc16.ts';
import { digits, replaceAt } from './digits.ts';

const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
const letters = Array.from('ABCxyz0189');

function textOf(unit: string[], maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...unit), minLength: 1, maxLength });
}

const amounts = fc.tuple(fc.bigInt({ min: 1n, max: 999_999_999_999n }), fc.boolean()).map(([minor, whole]) => {
  const text = minor.toString().padStart(3, '0');
  return whole ? minor.toString().slice(0, 10) : `${text.slice(0, -2)}.${text.slice(-2)}`;
});

const urls = textOf(letters, 40).map((token) => `pix.example.com/${token}`);

const receiver = {
  merchantName: textOf(printable, 25),
  merchantCity: textOf(printable, 15),
  merchantCategory: digits(4),
  singleUse: fc.boolean(),
};

const keys = fc.oneof(
  digits(11),
  digits(14),
  digits(11).map((rest) => `+55${rest}`),
  fc.uuid(),
  textOf(letters, 20).map((name) => `${name.toLowerCase()}@example.com`),
);

const codes: fc.Arbitrary<BrCodeInput> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('static' as const),
      key: keys,
      ...receiver,
      amount: amounts,
      txid: textOf(letters, 25),
      info: textOf(printable, 20),
      withdrawalIspb: digits(8),
      postalCode: digits(8),
      recurrenceUrl: urls,
    },
    { requiredKeys: ['kind', 'key', 'merchantName', 'merchantCity', 'merchantCategory', 'singleUse'] },
  ),
  fc.record(
    { kind: fc.constant('dynamic' as const), url: urls, ...receiver, postalCode: digits(8), recurrenceUrl: urls },
    { requiredKeys: ['kind', 'url', 'merchantName', 'merchantCity', 'merchantCategory', 'singleUse'] },
  ),
  fc.record({ kind: fc.constant('recurrence' as const), recurrenceUrl: urls, ...receiver }),
);

const built = codes.map((input) => {
  const result = buildBrCode(input);
  return { input, text: result.ok ? result.text : '' };
});

describe('BR Code', () => {
  it('reads back exactly what was written', () => {
    fc.assert(
      fc.property(built, ({ input, text }) => {
        const parsed = parseBrCode(text);
        const expected = input.kind === 'static' ? { ...input, keyType: expect.any(String) } : input;
        expect(parsed).toEqual({ ok: true, code: expected });
        expect(parsed.ok && buildBrCode(parsed.code)).toEqual({ ok: true, text });
      }),
    );
  });

  // A CRC of 16 bits sees every burst of up to 16 bits, so one ASCII character, or two neighbours, cannot slip through.
  it('refuses every code in which one character became another ASCII character', () => {
    fc.assert(
      fc.property(built, fc.nat(), fc.constantFrom(...printable), ({ text }, position, other) => {
        const at = position % text.length;
        fc.pre(text.charAt(at) !== other);
        expect(parseBrCode(replaceAt(text, at, other)).ok).toBe(false);
      }),
    );
  });

  it('refuses every code in which two neighbours changed places', () => {
    fc.assert(
      fc.property(built, fc.nat(), ({ text }, position) => {
        const at = position % (text.length - 1);
        const [first, second] = [text.charAt(at), text.charAt(at + 1)];
        fc.pre(first !== second);
        expect(parseBrCode(replaceAt(replaceAt(text, at, second), at + 1, first)).ok).toBe(false);
      }),
    );
  });

  it('refuses every code that was cut short', () => {
    fc.assert(
      fc.property(built, fc.nat(), ({ text }, position) => {
        expect(parseBrCode(text.slice(0, position % text.length)).ok).toBe(false);
      }),
    );
  });

  it('answers any text without throwing, also behind a right CRC', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), textOf(letters, 200)), (text) => {
        const body = `000201${text}6304`;
        expect(parseBrCode(text).ok).toBe(false);
        expect(parseBrCode(`${body}${crc16(body)}`).ok).toBe(false);
      }),
    );
  });

  it('writes static codes that an independent implementation reads the same way', () => {
    const simple = fc.record({
      kind: fc.constant('static' as const),
      key: fc.uuid(),
      merchantName: textOf(letters, 25),
      merchantCity: textOf(letters, 15),
      txid: textOf(letters, 25),
    });
    fc.assert(
      fc.property(simple, ({ kind, ...fields }) => {
        const result = buildBrCode({ kind, ...fields });
        expect(result.ok && getPixPayloadInfo(result.text)).toEqual({ ...fields, pointOfInitiation: kind });
      }),
    );
  });
});
