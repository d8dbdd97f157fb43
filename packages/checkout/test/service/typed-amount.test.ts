import * as fc from '../../../../test/support/properties.ts';
import { describe, expect, test } from 'vitest';
import { moneyOfMinor } from '@railyard/core';
import { formatAmount } from '../../src/page/amount.ts';
import { asTyped, readTypedAmount } from '../../src/sessions/payer-input.ts';

const read = (text: string, currency: string, locale: string) => {
  const typed = readTypedAmount(text, currency, locale);
  return typed.ok ? typed.money.text : typed.reason;
};

describe('an amount as a payer types it', () => {
  test.each([
    ['250.5', 'USD', 'en', '250.50'],
    ['250,5', 'USD', 'en', '250.50'],
    ['250,5', 'BRL', 'pt-BR', '250.50'],
    ['1.250,50', 'EUR', 'de', '1250.50'],
    ['1,250.50', 'USD', 'en', '1250.50'],
    ['1,250.50', 'EUR', 'de', '1250.50'],
    ['1.250.000', 'EUR', 'en', '1250000.00'],
    ['12,50,000.5', 'INR', 'en-IN', '1250000.50'],
    ['1 250,50', 'EUR', 'fr', '1250.50'],
    ['1\u202f250,50', 'EUR', 'fr', '1250.50'],
    ["1'250.50", 'CHF', 'de-CH', '1250.50'],
    ['٢٥٠٫٥', 'EGP', 'ar-EG', '250.50'],
    ['١٬٢٥٠٫٥٠', 'EGP', 'ar-EG', '1250.50'],
    ['２５０．５', 'USD', 'ja', '250.50'],
    ['R$ 250,50', 'BRL', 'pt-BR', '250.50'],
    ['250,50 €', 'EUR', 'de', '250.50'],
    ['USD 250', 'USD', 'en', '250.00'],
    ['250usd', 'USD', 'en', '250.00'],
    ['$250', 'USD', 'en', '250.00'],
    ['  12.5 ', 'USD', 'en', '12.50'],
    ['0250', 'USD', 'en', '250.00'],
    ['.5', 'USD', 'en', '0.50'],
    ['250.', 'USD', 'en', '250.00'],
    ['1,250', 'USD', 'en', '1250.00'],
    ['1.250', 'EUR', 'de', '1250.00'],
    ['1.250', 'KWD', 'en', '1.250'],
    ['0.125', 'BTC', 'en', '0.12500000'],
    ['1250', 'JPY', 'ja', '1250.00'],
    ['1,250', 'JPY', 'ja', '1250.00'],
  ])('"%s" of %s in %s is %s', (text, currency, locale, amount) => {
    expect(read(text, currency, locale)).toBe(amount);
  });

  test.each([
    ['1.250', 'USD', 'en', 'ambiguous'],
    ['1,250', 'EUR', 'de', 'ambiguous'],
    ['1,250', 'BRL', 'pt-BR', 'ambiguous'],
    ['250€', 'USD', 'en', 'grammar'],
    ['12.505', 'EUR', 'fr', 'ambiguous'],
    ['12,5055', 'EUR', 'fr', 'decimals'],
    ['250.555', 'USD', 'en', 'ambiguous'],
    ['1,25.50', 'USD', 'en', 'grammar'],
    ['1.2.3', 'USD', 'en', 'grammar'],
    ['250.5.5', 'USD', 'en', 'grammar'],
    ['1e3', 'USD', 'en', 'grammar'],
    ['-1', 'USD', 'en', 'grammar'],
    ['all of it', 'USD', 'en', 'grammar'],
    ['250.5', 'JPY', 'ja', 'fraction'],
    ['9'.repeat(101), 'USD', 'en', 'grammar'],
  ])('"%s" of %s in %s is refused: %s', (text, currency, locale, reason) => {
    expect(read(text, currency, locale)).toBe(reason);
  });

  test('is understood as the page fills it in for every language, digit for digit', () => {
    const locales = [
      'en',
      'pt-BR',
      'de',
      'fr',
      'ar-EG',
      'hi',
      'tr',
      'de-CH',
      'en-IN',
      'th',
      'vi',
      'sr',
      'es',
      'fa',
      'pl',
    ];
    const minor = fc.bigInt({ min: 0n, max: 10n ** 14n });
    const currencies = fc.constantFrom('USD', 'KWD', 'JPY', 'BTC', 'BRL');
    fc.assert(
      fc.property(minor, currencies, fc.constantFrom(...locales), (units, currency, locale) => {
        const { text } = moneyOfMinor(units, currency);
        expect(read(asTyped(text, locale), currency, locale)).toBe(text);
      }),
    );
  });

  test('is understood as the page writes it, in every currency and language, digit for digit', () => {
    const locales = ['en', 'pt-BR', 'de', 'fr', 'ar-EG', 'hi', 'tr', 'de-CH', 'en-IN', 'th', 'vi', 'sr'];
    const currencies = ['USD', 'EUR', 'BRL', 'INR', 'EGP', 'CHF', 'GBP', 'MXN', 'TRY', 'KES'];
    const amounts = fc.record({
      minor: fc.bigInt({ min: 0n, max: 10n ** 14n }),
      currency: fc.constantFrom(...currencies),
      locale: fc.constantFrom(...locales),
    });
    fc.assert(
      fc.property(amounts, ({ minor, currency, locale }) => {
        const text = `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
        expect(read(formatAmount({ text, currency }, locale), currency, locale)).toBe(text);
      }),
    );
  });
});
