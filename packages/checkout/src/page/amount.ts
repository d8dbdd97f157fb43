/**
 * An amount in the payer's language, digit for digit: the decimal string goes to Intl as it is, never through a float.
 * The currency is its code, because `$` means many currencies.
 *
 * @example formatAmount({ text: '1234.50', currency: 'BRL' }, 'pt-BR') // 'BRL 1.234,50'
 */
export function formatAmount(amount: { readonly text: string; readonly currency: string }, language: string): string {
  const { text, currency } = amount;
  if (!isDecimal(text)) return `${currency} ${text}`;
  const digits = fractionDigits(text);
  const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits, numberingSystem: 'latn' } as const;
  // Intl knows codes of three letters only; a crypto currency may have more.
  if (!/^[A-Za-z]{3}$/.test(currency)) return `${currency} ${new Intl.NumberFormat(language, exactly).format(text)}`;
  const style = { style: 'currency', currency, currencyDisplay: 'code' } as const;
  return new Intl.NumberFormat(language, { ...style, ...exactly }).format(text);
}

function isDecimal(text: string): text is `${number}` {
  return /^\d+(?:\.\d+)?$/.test(text) && fractionDigits(text) <= 100;
}

function fractionDigits(text: string): number {
  return text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
}
