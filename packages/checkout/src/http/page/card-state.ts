import type { Route } from '../../merchants/directory.ts';
import { cardRequirements } from '../../cards/card-requirements.ts';
import type { PageDeps } from './deps.ts';
import { cardInputs, type SavedCard } from '../../cards/index.ts';
import { BRANDS, NAME_LENGTH } from '../../rules/browser/card-rules.js';
import type { CardForm, PageField, SavedCardChoice } from '../../page/model.ts';
import type { PageFacts } from './page-facts.ts';

/** The card's part of the form before a payment; `undefined` for methods that take no card. */
export function cardState(
  context: PageDeps,
  route: Route,
  { session, savedCards, chosenCard, entered }: PageFacts,
): { readonly form: CardForm; readonly fields: readonly PageField[] } | undefined {
  const requirements = cardRequirements(context, session, route, savedCards, chosenCard);
  if (requirements === undefined) return undefined;
  const { saved, taken } = requirements;
  const others = savedCards.filter((each) => each !== saved && taken.includes(each.brand)).map(choiceOf);
  const holder = entered?.get('card.name') ?? session.request.customer?.name ?? '';
  const fields = cardInputs(requirements).map(({ path, info }): PageField => ({
    name: path,
    label: info.label,
    input: info.input ?? 'text',
    required: true,
    ...(info.help !== undefined && { help: info.help }),
    ...(info.autocomplete !== undefined && { autocomplete: info.autocomplete }),
    ...(path === 'card.name' && holder.length <= NAME_LENGTH && { value: holder }),
  }));
  const form: CardForm = {
    taken,
    ...(saved && { saved: choiceOf(saved), brand: saved.brand }),
    others: saved === undefined ? others : [...others, NEW_CARD],
  };
  return { form, fields };
}

const NEW_CARD: SavedCardChoice = { key: 'new' };

function choiceOf({ key, kept: { brand, lastFour, expiryMonth, expiryYear } }: SavedCard): SavedCardChoice {
  const title = BRANDS.find(({ name }) => name === brand)?.title ?? brand;
  return { key, card: { title, lastFour, expires: `${expiryMonth}/${expiryYear}` } };
}
