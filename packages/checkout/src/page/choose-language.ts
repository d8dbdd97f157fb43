import { languages } from './texts/index.ts';

/** Longer headers come from no browser; only the start is read. */
const MAX_WISHES = 20;

const likely = (tag: string) => new Intl.Locale(tag).maximize();

/** The languages of the page, each with its usual region. Of two with the same language the last one is also for all other regions. */
const OFFERED = [...languages.keys()].map((tag) => ({ tag, ...regionOf(tag) }));

function regionOf(tag: string) {
  const { language, region } = likely(tag);
  return { language, region };
}

/**
 * The language of the page from the header `Accept-Language`: that of the first wish whose language is there, of its region if that is there.
 *
 * @example chooseLanguage('es-AR, en;q=0.5') // 'es-MX'
 */
export function chooseLanguage(header: string | undefined): string {
  for (const wish of wishes(header ?? '').filter(isKnownLocale)) {
    const { language, region } = regionOf(wish);
    const same = OFFERED.filter((each) => each.language === language);
    const found = same.find((each) => each.region === region) ?? same.at(-1);
    if (found !== undefined) return found.tag;
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
