import { languages } from './texts/index.ts';

/** Longer headers come from no browser; only the start is read. */
const MAX_WISHES = 20;

/**
 * The language of the page from the header `Accept-Language`: the first wish that is there, exactly or by its base language.
 *
 * @example chooseLanguage('pt;q=0.9, en;q=0.5') // 'pt-BR'
 */
export function chooseLanguage(header: string | undefined, available: Iterable<string> = languages.keys()): string {
  const tags = [...available];
  for (const wish of wishes(header ?? '')) {
    const found = tags.find((tag) => same(tag, wish)) ?? tags.find((tag) => same(base(tag), base(wish)));
    if (found !== undefined) return found;
  }
  return 'en';
}

/**
 * The locale whose marks the payer writes amounts with: the first wish that the platform knows, whether or not the page has its texts.
 *
 * @example payerLocale('de-AT, en;q=0.5') // 'de-AT'
 */
export function payerLocale(header: string | undefined): string {
  return wishes(header ?? '').find((tag) => isKnownLocale(tag)) ?? 'en';
}

function isKnownLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** RFC 9110, 12.5.4: tags with a weight; a weight of 0 means "not this one". */
function wishes(header: string): string[] {
  return header
    .split(',', MAX_WISHES)
    .map((part) => {
      const [tag = '', ...rest] = part.split(';').map((text) => text.trim());
      const weight = rest.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
      return { tag, weight: /^(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?)$/.test(weight) ? Number(weight) : 0 };
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

const base = (tag: string): string => tag.split('-', 1)[0] ?? tag;
const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
