import { type PayerText, TEXTS } from '@railyard/core';
import { inLanguage } from '@railyard/core/registry';
import type { PageField } from '../model.ts';
import ar from './catalogues/ar.json' with { type: 'json' };
import de from './catalogues/de.json' with { type: 'json' };
import en from './catalogues/en.json' with { type: 'json' };
import es from './catalogues/es.json' with { type: 'json' };
import esMX from './catalogues/es-MX.json' with { type: 'json' };
import fr from './catalogues/fr.json' with { type: 'json' };
import hi from './catalogues/hi.json' with { type: 'json' };
import id from './catalogues/id.json' with { type: 'json' };
import ja from './catalogues/ja.json' with { type: 'json' };
import pl from './catalogues/pl.json' with { type: 'json' };
import ptBR from './catalogues/pt-BR.json' with { type: 'json' };
import ptPT from './catalogues/pt-PT.json' with { type: 'json' };
import srLatn from './catalogues/sr-Latn.json' with { type: 'json' };
import sw from './catalogues/sw.json' with { type: 'json' };
import th from './catalogues/th.json' with { type: 'json' };
import tr from './catalogues/tr.json' with { type: 'json' };
import vi from './catalogues/vi.json' with { type: 'json' };
import { isLabelled } from './labels.ts';
import { translated } from './messages.ts';
import { sayIn } from './say.ts';
import { textsOf, type Catalogue, type Texts } from './texts.ts';

export type { Texts, Wording } from './texts.ts';

/** The texts of every language under its BCP 47 tag, as translators write them. */
export const catalogues = {
  en,
  'pt-BR': ptBR,
  'pt-PT': ptPT,
  es,
  'es-MX': esMX,
  fr,
  de,
  pl,
  tr,
  ar,
  hi,
  id,
  sw,
  vi,
  th,
  'sr-Latn': srLatn,
  ja,
} satisfies Readonly<Record<string, Catalogue>>;

/** The texts of a language, and the tag they are really in. */
export interface InLanguage {
  readonly language: string;
  readonly texts: Texts;
}

/** Every language of the page under its BCP 47 tag. */
export const languages: ReadonlyMap<string, Texts> = new Map(
  Object.entries<Catalogue>(catalogues).map(([language, catalogue]) => [language, textsOf(catalogue, sayIn(language))]),
);

const FALLBACK = { language: 'en', texts: textsOf(en, sayIn('en')) };

/** The texts of a language: English where the language is not there. */
export function textsIn(language: string): InLanguage {
  const texts = languages.get(language);
  return texts === undefined ? FALLBACK : { language, texts };
}

/** The direction in which a language is written. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

interface Labelled {
  readonly name: string;
  readonly label: PayerText;
  readonly help?: PayerText;
}

/** The label of a field: the connector's, in the language. If the connector has only an English label, the page's own, if there is one. */
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
export function messageIn({ language, texts: { own, say } }: InLanguage, message: PayerText): string {
  if (typeof message !== 'string') return inLanguage(message, language);
  return translated(message, own.messages, { say, number: (value) => numberIn(language, value) }) ?? message;
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
