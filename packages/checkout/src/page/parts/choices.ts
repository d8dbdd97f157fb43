import { countries, statesOf } from '@railyard/core/countries';
import { html } from 'hono/html';
import type { Markup } from '../markup.ts';
import type { PageField } from '../model.ts';
import { said, type Page } from '../view.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The options of a field; `undefined` for one that is typed. */
export function choicesFor(page: Page, field: PageField): readonly Markup[] | undefined {
  const { options, states, value } = field;
  if (field.input === 'country') return countryChoices(page.language).map((choice) => optionOf(choice, value));
  if (states !== undefined) return stateChoices(page, states, value);
  return options?.map((choice) => optionOf({ ...choice, label: said(page, choice.label) }, value));
}

const optionOf = ({ value, label }: Choice, chosen: string | undefined): Markup =>
  html`<option value="${value}" ${value === chosen ? html` selected` : ''}>${label}</option>`;

const inOrder = (choices: readonly Choice[], language: string): readonly Choice[] => {
  const { compare } = new Intl.Collator(language);
  return choices.toSorted((one, other) => compare(one.label, other.label));
};

const known = new Map<string, readonly Choice[]>();

/** Every country by its name in a language, in the order of that language. */
function countryChoices(language: string): readonly Choice[] {
  const before = known.get(language);
  if (before !== undefined) return before;
  const choices = [...countries.values()].map(({ alpha2, name }) => ({
    value: alpha2,
    label: countryName(alpha2, language) ?? name,
  }));
  const sorted = inOrder(choices, language);
  known.set(language, sorted);
  return sorted;
}

const countryName = (code: string, language: string): string | undefined =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code);

/** The states of one country as they are; of several under the names of their countries, of which a script shows those of the chosen one. */
function stateChoices(
  { language }: Page,
  { of, country }: NonNullable<PageField['states']>,
  value: string | undefined,
): readonly Markup[] {
  const optionsOf = (code: string) =>
    inOrder(
      [...statesOf(code)].map(([state, label]) => ({ value: state, label })),
      language,
    ).map((choice) => optionOf(choice, code === country ? value : undefined));
  const [only] = of;
  if (of.length === 1 && only !== undefined) return optionsOf(only);
  const groups = of.map((code) => ({ value: code, label: countryName(code, language) ?? code }));
  return inOrder(groups, language).map(
    ({ value: code, label }) => html`<optgroup label="${label}" data-country="${code}">${optionsOf(code)}</optgroup>`,
  );
}
