// Formats the entries of the card fields while the payer types, and shows problems at once.
import { afterEdit, shownCode, shownExpiry, shownNumber } from './card-format.js';
import { brandIn, coBrandsOf, offerBrands } from './card-brands.js';
import {
  ALL_BRANDS,
  BRANDS,
  cvvProblem,
  expiryProblem,
  nameProblem,
  numberProblem,
} from '../../rules/browser/card-rules.js';

/** @typedef {import('./card-format.js').Show} Show */

/**
 * Formats the text of an input while the payer types.
 *
 * @param {HTMLInputElement} input
 * @param {Show} show
 * @returns {(event?: Event) => void}
 */
function formatter(input, show) {
  let before = '';
  return (event) => {
    const { isComposing = false, inputType = '' } = event instanceof InputEvent ? event : {};
    // A keyboard that composes still writes the text itself.
    if (isComposing) return;
    const caret = input.selectionEnd ?? input.value.length;
    const after = afterEdit({ text: input.value, caret }, before, inputType, show);
    if (after.text !== input.value) {
      input.value = after.text;
      if (document.activeElement === input) input.setSelectionRange(after.caret, after.caret);
    }
    before = after.text;
  };
}

/** @param {HTMLElement} card */
function prepare(card) {
  /** @param {string} name */
  const find = (name) => {
    const input = card.querySelector(`[name="card.${name}"]`);
    return input instanceof HTMLInputElement ? input : undefined;
  };
  const [number, expiry, cvv, name] = [find('number'), find('expiry'), find('cvv'), find('name')];
  const payee = find('payee');
  const taken = (card.dataset['taken'] ?? '').split(' ');
  const now = Date.parse(card.dataset['now'] ?? '');
  const words = /** @type {Record<string, string>} */ (JSON.parse(card.dataset['words'] ?? '{}'));
  const badge = document.createElement('span');
  badge.className = 'brand';
  number?.labels?.[0]?.append(' ', badge);

  /** @param {HTMLInputElement | undefined} input @param {string | undefined} problem */
  const say = (input, problem) => input?.setCustomValidity(problem === undefined ? '' : (words[problem] ?? problem));
  const brand = () => brandIn(card);
  /** @param {EventTarget | null} [changed] */
  const check = (changed) => {
    offerBrands(card, changed);
    badge.textContent = BRANDS.find(({ name: each }) => each === brand())?.title ?? '';
    say(number, number && numberProblem(number.value, taken, coBrandsOf(card)));
    say(expiry, expiry && expiryProblem(expiry.value, now));
    say(cvv, cvv && cvvProblem(cvv.value, brand()));
    if (cvv) cvv.required = cvvProblem('', brand()) !== undefined;
    say(name, name && nameProblem(name.value, card.dataset['oneWord'] !== undefined));
    say(payee, payee && numberProblem(payee.value, ALL_BRANDS));
  };
  /** @type {Map<EventTarget | null, (event?: Event) => void>} */
  const formatters = new Map();
  for (const input of [number, payee]) if (input) formatters.set(input, formatter(input, shownNumber));
  if (expiry) formatters.set(expiry, formatter(expiry, shownExpiry));
  if (cvv)
    formatters.set(
      cvv,
      formatter(cvv, (text) => shownCode(text, brand())),
    );
  /** @param {Event} event */
  const follow = (event) => {
    formatters.get(event.target)?.(event);
    check(event.target);
  };
  // Runs before any listener that reads the input's validity.
  for (const edit of ['input', 'change', 'compositionend']) card.addEventListener(edit, follow, { capture: true });
  for (const format of formatters.values()) format();
  check();
}

for (const card of document.querySelectorAll('[data-card]')) if (card instanceof HTMLElement) prepare(card);

// A number or a code stays in no page that was left.
addEventListener('pagehide', () => {
  for (const input of document.querySelectorAll('[name="card.number"], [name="card.cvv"], [name="card.payee"]'))
    if (input instanceof HTMLInputElement) input.value = '';
});
