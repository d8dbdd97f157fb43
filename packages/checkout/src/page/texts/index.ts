import { en } from './en.ts';
import { ptBr } from './pt-br.ts';
import type { Texts } from './texts.ts';

export type { Texts, Wording } from './texts.ts';

/** Every language of the page under its BCP 47 tag. */
export const languages: ReadonlyMap<string, Texts> = new Map([
  ['en', en],
  ['pt-BR', ptBr],
]);

const FALLBACK = { tag: 'en', texts: en };

/** The texts of a language, and the tag they are really in: English where the language is not there. */
export function textsIn(language: string): { readonly tag: string; readonly texts: Texts } {
  const texts = languages.get(language);
  return texts === undefined ? FALLBACK : { tag: language, texts };
}

/** A label, hint or message that came from outside, in the language of the texts where that is known. */
export function inLanguage({ phrases }: Texts, text: string): string {
  return Object.hasOwn(phrases, text) ? (phrases[text] ?? text) : text;
}
