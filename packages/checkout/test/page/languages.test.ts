import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, test } from 'vitest';
import { catalogues, languages, textsIn } from '../../src/page/texts/index.ts';

type Tree = { readonly [key: string]: string | Tree };

/** Every text under the path of its keys. */
function textsOf(tree: Tree, path = ''): [path: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : textsOf(value, `${path}${key}/`),
  );
}
const flat = (catalogue: object) => new Map(textsOf(JSON.parse(JSON.stringify(catalogue))));

const parsed = (text: string) => new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst();

/** Plain text, in the numbers of the parser. */
const LITERAL = 0;

interface Argument {
  readonly name: string;
  readonly chooses: 'plural' | 'select' | undefined;
  readonly cases: readonly string[];
}

/** The arguments of a message, with their cases where it chooses among some. */
function argumentsOf(elements: ReturnType<typeof parsed>): Argument[] {
  return elements.flatMap((element) => {
    // The number of a plural has no name.
    if (!('value' in element) || element.type === LITERAL) return [];
    if (!('options' in element)) return [{ name: element.value, chooses: undefined, cases: [] }];
    const cases = Object.entries(element.options);
    const chooses = 'pluralType' in element ? ('plural' as const) : ('select' as const);
    return [
      { name: element.value, chooses, cases: cases.map(([name]) => name) },
      ...cases.flatMap(([, { value }]) => argumentsOf(value)),
    ];
  });
}
const namesIn = (text: string) => [...new Set(argumentsOf(parsed(text)).map(({ name }) => name))].toSorted();

const english = flat(catalogues.en);
const others = Object.entries(catalogues).filter(([language]) => language !== 'en');
/** All messages: English leaves out those that core writes in English. */
const all = flat(catalogues['pt-BR']);

describe.each(others)('the catalogue %s', (language, catalogue) => {
  const texts = flat(catalogue);

  test('has every text and no other, none of them empty', () => {
    expect([...texts.keys()].toSorted()).toEqual([...all.keys()].toSorted());
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('has the values of each English text', () => {
    for (const [path, text] of english) expect([path, namesIn(texts.get(path) ?? '')]).toEqual([path, namesIn(text)]);
  });

  test('has the plurals of its language, and the cases of the page', () => {
    const rules = new Intl.PluralRules(language);
    const known = rules.resolvedOptions().pluralCategories;
    const needed = new Set(['other', ...Array.from({ length: 1000 }, (_, count) => rules.select(count))]);
    for (const [path, text] of texts)
      for (const { name, chooses, cases } of argumentsOf(parsed(text))) {
        if (chooses === 'plural') {
          // Exact numbers may have words of their own, and so may millions.
          const categories = cases.filter((each) => !each.startsWith('='));
          expect([path, [...needed].filter((each) => !categories.includes(each))]).toEqual([path, []]);
          expect([path, categories.filter((each) => !known.some((category) => category === each))]).toEqual([path, []]);
        }
        if (chooses === 'select')
          expect([path, cases.toSorted()]).toEqual([path, name === 'unit' ? ['day', 'other'] : ['none', 'other']]);
      }
  });

  test('says each text with values in it', () => {
    const { texts: page } = textsIn(language);
    for (const count of [0, 1, 2, 3, 5, 11, 21, 100]) expect(page.minutes(count)).not.toMatch(/[{}#]/);
    for (const unit of ['day', 'month'] as const)
      for (const count of [1, 2, 5]) expect(page.consent('10 €', count, count, unit)).toMatch(/10 €/);
    expect(page.stkText(undefined)).not.toMatch(/none|undefined/);
    expect(page.stkText('+55 11 •••••-4321')).toContain('+55 11 •••••-4321');
    expect(page.backTo('A <b>{shop}</b>')).toContain('A <b>{shop}</b>');
  });
});

test('every language has its name for the browser', () => {
  expect([...languages.keys()].map((tag) => Intl.getCanonicalLocales(tag)[0])).toEqual([...languages.keys()]);
});
