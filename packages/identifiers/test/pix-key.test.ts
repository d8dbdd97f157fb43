import { getPixKeyInfo } from '@brazilian-utils/brazilian-utils';
import * as fc from '../../../test/support/properties.ts';
import { describe, expect, it } from 'vitest';
import { isCpf } from '../src/cpf.ts';
import { parsePixKey, pixKeyLengths, toDirectoryKey } from '../src/pix-key.ts';
import { completions, digits } from './digits.ts';
import published from './fixtures/pix-keys.json' with { type: 'json' };

describe('Pix key', () => {
  it.each(published.valid)('reads the published $type key $key and writes it back', ({ type, key }) => {
    const parsed = parsePixKey(key);
    expect(parsed).toMatchObject({ ok: true, type, checksum: type === 'cpf' || type === 'cnpj' ? 'valid' : 'none' });
    expect(parsed.ok && toDirectoryKey(parsed)).toBe(key);
  });

  it.each(published.gatewayForms)('reads $key in the form in which a provider takes it', ({ type, key }) => {
    expect(parsePixKey(key)).toEqual({ ok: true, type, key, checksum: 'none' });
  });

  it.each(published.invalid)('does not pass the published wrong key %s', (key) => {
    const parsed = parsePixKey(key);
    expect(parsed.ok && parsed.checksum !== 'invalid').toBe(false);
  });

  it('reports wrong check digits beside a right format, so that the caller decides', () => {
    expect(parsePixKey('39053344706')).toEqual({ ok: true, type: 'cpf', key: '39053344706', checksum: 'invalid' });
    expect(parsePixKey('12ABC34501DE36')).toMatchObject({ ok: true, type: 'cnpj', checksum: 'invalid' });
  });

  it('sends a phone number as 13 digits, with or without its plus', () => {
    const phone = { ok: true, type: 'phone', key: '5511912345684', checksum: 'none' };
    expect(parsePixKey('+5511912345684')).toEqual(phone);
    expect(parsePixKey('5511912345684')).toEqual(phone);
  });

  it('takes eleven digits for a CPF, never for a phone number without its country code, since they can be both', () => {
    expect(parsePixKey('11912345684')).toEqual({ ok: true, type: 'cpf', key: '11912345684', checksum: 'valid' });
  });

  it('puts e-mail, random key and CNPJ letters into their canonical case', () => {
    expect(parsePixKey('Fulano@Example.com')).toMatchObject({ type: 'email', key: 'fulano@example.com' });
    expect(parsePixKey('123E4567-E12B-12D1-A456-426655440000')).toMatchObject({
      type: 'evp',
      key: '123e4567-e12b-12d1-a456-426655440000',
    });
    expect(parsePixKey('12abc34501de35')).toMatchObject({ type: 'cnpj', key: '12ABC34501DE35', checksum: 'valid' });
  });

  it('reads a random key without hyphens as the same key', () => {
    expect(parsePixKey('123e4567e12b12d1a456426655440000')).toMatchObject({
      type: 'evp',
      key: '123e4567-e12b-12d1-a456-426655440000',
    });
  });

  it('accepts an e-mail of 180 characters and refuses one of 181', () => {
    const ofLength = (length: number): string => `${'a'.repeat(length - 12)}@example.com`;
    expect(parsePixKey(ofLength(pixKeyLengths.email))).toMatchObject({ ok: true, type: 'email' });
    expect(parsePixKey(ofLength(181))).toEqual({ ok: false, reason: 'email-too-long' });
  });

  it.each([
    ['', 'empty'],
    ['551191234568', 'phone-format'],
    ['+551191234568', 'phone-format'],
    ['+55119123456844', 'phone-format'],
    ['1411912345684', 'phone-format'],
    ['+55 11 91234-5684', 'phone-format'],
    ['fulano@', 'email-format'],
    ['@example.com', 'email-format'],
    ['a@b@example.com', 'email-format'],
    ['fulano..x@example.com', 'email-format'],
    ['fulano@example', 'email-format'],
    ['fulano@-example.com', 'email-format'],
    ['fulano@example-.com', 'email-format'],
    [`fulano@${'a'.repeat(64)}.com`, 'email-format'],
    ['fulano@example..com', 'email-format'],
    ['fulano@exämple.com', 'email-format'],
    [' fulano@example.com', 'email-format'],
    ['123.456.789-00', 'unknown-format'],
    ['3905334470', 'unknown-format'],
    ['39053344705 ', 'unknown-format'],
    ['16.727.230/0001-97', 'unknown-format'],
    ['12ABC34501DE3X', 'unknown-format'],
    ['123e4567-e12b-12d1-a456-42665544000', 'unknown-format'],
    ['123e4567-e12b-12d1-a456-4266554400000', 'unknown-format'],
    ['123e4567e12b-12d1-a456-426655440000', 'unknown-format'],
    ['some-key', 'unknown-format'],
  ])('refuses %j with the reason %s', (text, reason) => {
    expect(parsePixKey(text)).toEqual({ ok: false, reason });
  });

  it('reads its own canonical key as the same key', () => {
    const keys = fc.oneof(
      digits(11),
      digits(14),
      digits(11).map((rest) => `+55${rest}`),
      fc.uuid().map((uuid) => uuid.toUpperCase()),
      fc.emailAddress({ size: 'small' }),
      fc.string(),
    );
    fc.assert(
      fc.property(keys, (text) => {
        const parsed = parsePixKey(text);
        fc.pre(parsed.ok);
        expect(parsePixKey(parsed.key)).toEqual(parsed);
        expect(parsePixKey(toDirectoryKey(parsed))).toEqual(parsed);
      }),
    );
  });

  it('agrees with an independent implementation on the kind of a well-formed key', () => {
    const keys = fc.oneof(
      digits(9).chain((stem) => fc.constantFrom(...completions(stem, isCpf), '39053344705')),
      fc.constantFrom('16727230000197', '12ABC34501DE35'),
      digits(8).map((rest) => `+55119${rest}`),
      fc.uuid(),
      digits(6).map((number) => `fulano${number}@example.com`),
    );
    fc.assert(
      fc.property(keys, (text) => {
        const parsed = parsePixKey(text);
        expect(parsed.ok && parsed.type).toBe(getPixKeyInfo(text)?.type);
      }),
    );
  });

  it('takes time in proportion to the length of hostile input', () => {
    const timeMs = (text: string): number => {
      const start = performance.now();
      parsePixKey(text);
      return performance.now() - start;
    };
    for (const unit of ['a', 'a.', '-', '0', 'a@', '@a.']) expect(timeMs(unit.repeat(200_000))).toBeLessThan(1000);
  });
});
