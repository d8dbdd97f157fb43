import { type PayerText, TEXTS } from '@railyard/core';
import { inLanguage } from '@railyard/core/registry';
import type { PageField } from '../model.ts';
import { en } from './en.ts';
import { isLabelled } from './labels.ts';
import { translated } from './messages.ts';
import { ptBr } from './pt-br.ts';
import type { Texts } from './texts.ts';

export type { Texts, Wording } from './texts.ts';

/** Every language of the page under its BCP 47 tag. */
export const languages: ReadonlyMap<string, Texts> = new Map([
  ['en', en],
  ['pt-BR', ptBr],
]);

/** The texts of a language, and the tag they are really in. */
export interface InLanguage {
  readonly language: string;
  readonly texts: Texts;
}

const FALLBACK = { language: 'en', texts: en };

/** The texts of a language: English where the language is not there. */
export function textsIn(language: string): InLanguage {
  const texts = languages.get(language);
  return texts === undefined ? FALLBACK : { language, texts };
}

interface Labelled {
  readonly name: string;
  readonly label: PayerText;
  readonly help?: PayerText;
}

/** The label of a field. Its connector's, in the language; for one that is labelled in English alone the page's own, where it has one. */
export function labelIn({ language, texts: { own } }: InLanguage, { name, label }: Labelled): string {
  if (typeof label !== 'string' || own.labels === undefined) return inLanguage(label, language);
  return isLabelled(name) ? own.labels.fields[name] : label;
}

/** The hint of a field, by the same rule. */
export function hintIn({ language, texts: { own } }: InLanguage, { name, help }: Labelled): string | undefined {
  if (help === undefined) return undefined;
  if (typeof help !== 'string' || own.labels === undefined) return inLanguage(help, language);
  return name === 'card.expiry' ? own.labels.expiryHint : help;
}

/** A message about an entry: in the language where it has it, or where it is one of core's or of this service. */
export function messageIn({ language, texts: { own } }: InLanguage, message: PayerText): string {
  if (typeof message !== 'string') return inLanguage(message, language);
  return translated(message, own.messages, (value) => numberIn(language, value)) ?? message;
}

/** The problem of an entry in words for the payer, with an example of a right one. Texts about phones and e-mail have their own. */
export function problemIn(
  page: InLanguage,
  { problem = '', example, input }: Pick<PageField, 'problem' | 'example' | 'input'>,
): string {
  const said = messageIn(page, problem);
  const isHelped = example !== undefined && problem !== TEXTS.blank && input !== 'tel' && input !== 'email';
  return isHelped ? `${said} ${page.texts.forExample(example)}` : said;
}

/** A number with the marks of the language; a day stays as it is. */
function numberIn(language: string, value: string): string {
  if (!/^\d{1,15}(?:\.\d{1,20})?$/.test(value)) return value;
  const [, { length } = ''] = value.split('.');
  return new Intl.NumberFormat(language, { minimumFractionDigits: length }).format(Number(value));
}
