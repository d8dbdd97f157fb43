import { countries, country, protocolState, statesOf } from '@railyard/core/countries';

/** Languages in which the name of a country is understood, the page's among them. */
const LANGUAGES = 'en pt es fr de it nl pl tr ru uk sr ar hi id vi th sw ja zh ko'.split(' ');

/** Common names of countries that neither ISO 3166-1 nor the platform has. */
const CALLED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    US: 'america, united states of america, us of a, states, eua, eeuu, etats unis d amerique',
    GB: 'uk, great britain, britain, england, scotland, wales, northern ireland, inglaterra, angleterre',
    AE: 'emirates, uae',
    BR: 'brazil, brasil',
    CD: 'dr congo, drc',
    CG: 'republic of the congo',
    CI: 'ivory coast',
    CZ: 'czech republic',
    KR: 'korea, republic of korea',
    NL: 'holland, the netherlands',
    RU: 'russian federation',
    SY: 'syrian arab republic',
    SZ: 'swaziland',
    TR: 'turkey, turkiye',
    TZ: 'united republic of tanzania',
    VN: 'viet nam',
  }).flatMap(([code, names]) => names.split(',').map((name): [string, string] => [folded(name), code])),
);

const known = new Map<string, ReadonlyMap<string, string>>();

/** Letters and digits alone, in lower case and without marks: `Côte d’Ivoire` is `cotedivoire`. */
function folded(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('&', 'and');
  return plain.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function namesIn(language: string): ReadonlyMap<string, string> {
  const before = known.get(language);
  if (before !== undefined) return before;
  const platform = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  const names = new Map(
    [...countries.values()].flatMap(({ alpha2, name }) =>
      [name, platform.of(alpha2) ?? name].map((each): [string, string] => [folded(each), alpha2]),
    ),
  );
  known.set(language, names);
  return names;
}

/**
 * The alpha-2 code of a country as people write it: by a code, or by its name in one of many languages.
 *
 * @example countryNamed('brasil') // 'BR'
 */
export function countryNamed(text: string): string | undefined {
  const byCode = country(text.trim().toUpperCase());
  if (byCode !== undefined) return byCode.alpha2;
  const word = folded(text);
  if (word === '') return undefined;
  const called = CALLED.get(word);
  if (called !== undefined) return called;
  for (const language of LANGUAGES) {
    const found = namesIn(language).get(word);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The code of a state as people write it: by the code, or by its name.
 *
 * @param of alpha-2 code of its country
 * @example stateNamed('CA', 'Québec') // 'QC'
 */
export function stateNamed(of: string, text: string): string | undefined {
  const states = statesOf(of);
  const code = protocolState(of, text.trim().toUpperCase());
  if (states.has(code)) return code;
  const word = folded(text);
  return [...states].find(([, name]) => folded(name) === word)?.[0];
}
