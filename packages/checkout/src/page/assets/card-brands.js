// The networks of a co-branded card, among which the payer chooses. The ranges stand in the page, so that no number leaves it for that.
import { brandsOf, digitsOf } from '../../rules/browser/card-rules.js';

/** @param {HTMLElement} card @returns {HTMLInputElement[]} */
const choices = (card) =>
  [...card.querySelectorAll('[name="card.brand"]')].filter((each) => each instanceof HTMLInputElement);

/** The networks of the number that is typed, the merchant's choice first. @param {HTMLElement} card */
export function typedBrands(card) {
  const number = card.querySelector('[name="card.number"]');
  // A saved card has the network that it was saved with.
  if (!(number instanceof HTMLInputElement) || card.dataset['brand']) return [];
  return brandsOf(digitsOf(number.value), JSON.parse(card.dataset['coBrands'] ?? '[]'));
}

/** The network that the payer chose, where there is a choice. @param {HTMLElement} card */
export const chosenBrand = (card) => choices(card).find(({ checked, disabled }) => checked && !disabled)?.value;

/** The network that counts for the code: of the saved card, or of the number. @param {HTMLElement} card */
export const brandIn = (card) => card.dataset['brand'] || (chosenBrand(card) ?? typedBrands(card)[0]);

/** Offers the networks of the number, with the merchant's choice until the payer makes another. @param {HTMLElement} card */
export function offerBrands(card) {
  const brands = typedBrands(card);
  const isChoice = brands.length > 1;
  for (const choice of choices(card)) {
    choice.disabled = !isChoice || !brands.includes(choice.value);
    if (choice.disabled) choice.checked = false;
    if (choice.parentElement !== null) choice.parentElement.hidden = choice.disabled;
  }
  if (isChoice && chosenBrand(card) === undefined)
    for (const choice of choices(card)) choice.checked = choice.value === brands[0];
  const group = card.querySelector('[data-brands]');
  if (!(group instanceof HTMLElement)) return;
  group.dataset['brands'] = isChoice ? brands.join(' ') : '';
  group.hidden = !isChoice;
}
