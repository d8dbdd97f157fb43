/** A text in several languages, by their BCP 47 tags; English is always among them. */
export type Translated = Readonly<Record<string, string>> & { readonly en: string };

/** A text that payers read: in English alone, or in several languages. */
export type PayerText = string | Translated;

/** The text in English: what merchants, operators and documentation read. */
export const english = (text: PayerText): string => (typeof text === 'string' ? text : text.en);

/**
 * The text in a language, or in the language that it is a variety of; in English where it has neither.
 *
 * @example inLanguage({ en: 'Phone number', pt: 'Telefone' }, 'pt-BR') // 'Telefone'
 */
export function inLanguage(text: PayerText, language: string): string {
  if (typeof text === 'string') return text;
  const [base = language] = language.split('-', 1);
  return text[language] ?? text[base] ?? text.en;
}
