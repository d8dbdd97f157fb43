// The networks of a co-branded card, among which the payer chooses. The ranges stand in the page, so that no number leaves it for that.
import { brandsOf, digitsOf } from '../../rules/browser/card-rules.js';

/** @param {HTMLElement} card @returns {HTMLInputElement[]} */
const choices = (card) =>
  [...card.querySelectorAll('[name="card.brand"]')].filter((each) => each instanceof HTMLInputElement);

/** The networks of the number that is typed, the merchant's choice first. @param {HTMLElement} card */
export function typedBrands(card) {
  const number = card.querySelector('[name="card.number"]');
  if (!(number instanceof HTMLInputElement) || card.dataset['brand']) return [];
  return brandsOf(digitsOf(number.value), coBrandsOf(card));
}

/** @type {WeakMap<HTMLElement, readonly import('../../rules/browser/card-rules.js').CoBrands[]>} */
const ranges = new WeakMap();

/** The ranges of numbers with several networks. @param {HTMLElement} card */
export function coBrandsOf(card) {
  const read = ranges.get(card) ?? JSON.parse(card.dataset['coBrands'] ?? '[]');
  ranges.set(card, read);
  return read;
}

/** The network that the payer chose, where there is a choice. @param {HTMLElement} card */
export const chosenBrand = (card) => choices(card).find(({ checked, disabled }) => checked && !disabled)?.value;

/** The network that counts for the code: the chosen one, or that of the saved card or of the number. @param {HTMLElement} card */
export const brandIn = (card) => chosenBrand(card) ?? (card.dataset['brand'] || typedBrands(card)[0]);

/**
 * Offers the networks of the number. The payer's choice holds for each number that has it; otherwise the merchant's choice counts.
 *
 * @param {HTMLElement} card
 * @param {EventTarget | null} [changed] the input that the payer has just changed
 */
export function offerBrands(card, changed) {
  const group = card.querySelector('[data-brands]');
  // Of a saved card the service offers them.
  if (!(group instanceof HTMLElement) || card.querySelector('[name="card.number"]') === null) return;
  const all = choices(card);
  // The choice of a form that comes back is its default, too.
  if (all.some((choice) => choice === changed)) for (const choice of all) choice.defaultChecked = choice.checked;
  const brands = typedBrands(card);
  const isChoice = brands.length > 1;
  const chosen = all.find(({ defaultChecked, value }) => defaultChecked && brands.includes(value))?.value ?? brands[0];
  for (const choice of all) {
    choice.disabled = !isChoice || !brands.includes(choice.value);
    choice.checked = !choice.disabled && choice.value === chosen;
    if (choice.parentElement !== null) choice.parentElement.hidden = choice.disabled;
  }
  group.dataset['brands'] = isChoice ? brands.join(' ') : '';
  group.hidden = !isChoice;
}
