// Formats what is typed into the fields of a card, and says at once what is wrong with it.
import {
  ALL_BRANDS,
  brandOf,
  BRANDS,
  cvvProblem,
  digitsOf,
  expiryProblem,
  grouped,
  nameProblem,
  numberProblem,
} from './card-rules.js';

/** The longest number there is (ISO/IEC 7812). */
const MOST_DIGITS = 19;

/** Writes a text into an input and keeps the caret behind the same digit. @param {HTMLInputElement} input @param {string} text */
function rewrite(input, text) {
  if (input.value === text) return;
  const before = digitsOf(input.value.slice(0, input.selectionEnd ?? input.value.length)).length;
  const atEnd = input.selectionEnd === input.value.length;
  input.value = text;
  let at = 0;
  for (let seen = 0; at < text.length && seen < before; at += 1) if (/\d/.test(text[at] ?? '')) seen += 1;
  if (document.activeElement === input) input.setSelectionRange(atEnd ? text.length : at, atEnd ? text.length : at);
}

/** @param {HTMLInputElement} input */
function formatNumber(input) {
  const digits = digitsOf(input.value);
  // What is no number yet, or too long, stays as it was typed, so that nothing is lost that somebody has to correct.
  if (/^\d*$/.test(digits) && digits.length <= MOST_DIGITS) rewrite(input, grouped(digits));
}

/** `1230` becomes `12 / 30`; what has a slash, or is a date of a browser, stays. @param {HTMLInputElement} input @param {Event} event */
function formatExpiry(input, event) {
  const deleting = event instanceof InputEvent && event.inputType.startsWith('delete');
  if (deleting || !/^\d{2,6}$/.test(input.value)) return;
  const [month, year] = [input.value.slice(0, 2), input.value.slice(2)];
  input.value = `${month} / ${year}`;
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
  const check = () => {
    const brand = number === undefined ? card.dataset['brand'] : brandOf(digitsOf(number.value))?.name;
    badge.textContent = BRANDS.find((each) => each.name === brand)?.title ?? '';
    say(number, number && numberProblem(number.value, taken));
    say(expiry, expiry && expiryProblem(expiry.value, now));
    say(cvv, cvv && cvvProblem(cvv.value, brand));
    say(name, name && nameProblem(name.value));
    say(payee, payee && numberProblem(payee.value, ALL_BRANDS));
  };
  number?.addEventListener('input', () => formatNumber(number));
  expiry?.addEventListener('input', (event) => formatExpiry(expiry, event));
  card.addEventListener('input', check, { capture: true });
  payee?.addEventListener('input', () => formatNumber(payee));
  if (number !== undefined) formatNumber(number);
  check();
}

for (const card of document.querySelectorAll('[data-card]')) if (card instanceof HTMLElement) prepare(card);

// A number or a code stays in no page that was left.
addEventListener('pagehide', () => {
  for (const input of document.querySelectorAll('[name="card.number"], [name="card.cvv"], [name="card.payee"]'))
    if (input instanceof HTMLInputElement) input.value = '';
});
