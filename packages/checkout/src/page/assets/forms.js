// Checks entries before they are sent, and makes a button inert once it was pressed.

import { check, isControl, say, watch } from './notes.js';
import { abortsAfter } from './time-out.js';

/** @typedef {import('./notes.js').Control} Control */

/** An answer that takes longer is not waited for: the form is sent as it is. */
const WAIT_MS = 10_000;

/** @param {HTMLFormElement} form */
function prepare(form) {
  const controls = [...form.elements].filter(isControl);
  watch(form, controls);
  form.addEventListener('submit', (event) => {
    if (form.dataset['sent'] === 'true') return event.preventDefault();
    for (const control of controls) check(form, control);
    const wrong = controls.find((control) => control.getAttribute('aria-invalid') === 'true');
    if (wrong !== undefined) {
      event.preventDefault();
      wrong.focus();
      return;
    }
    if (!navigator.onLine) {
      event.preventDefault();
      return sayUnsent(form, true);
    }
    sayUnsent(form, false);
    markSent(true);
    const release = event.submitter instanceof HTMLButtonElement ? markBusy(event.submitter) : () => undefined;
    if (form.dataset['check'] === undefined) return;
    event.preventDefault();
    void askFirst(form, controls, form.dataset['check'], release);
  });
}

/** Says that nothing has left this page, or no longer says so. @param {HTMLFormElement} form @param {boolean} unsent */
function sayUnsent(form, unsent) {
  const note = form.querySelector('[data-unsent]');
  if (note instanceof HTMLElement) note.hidden = !unsent;
}

/** One press counts for the whole page: a second form must not pass the first. @param {boolean} sent */
function markSent(sent) {
  for (const other of document.querySelectorAll('form[data-form]'))
    if (other instanceof HTMLFormElement) other.dataset['sent'] = String(sent);
}

/**
 * Asks the service which entries it would refuse, and shows the problems beside the fields. The next page shows all others.
 *
 * @param {HTMLFormElement} form
 * @param {readonly Control[]} controls
 * @param {string} address
 * @param {() => void} release
 */
async function askFirst(form, controls, address, release) {
  const problems = await problemsOf(form, address);
  if (problems === undefined) {
    // Sent now, the browser would show its own error page in place of this one and its entries.
    markSent(false);
    release();
    return sayUnsent(form, true);
  }
  const known = problems.map(({ name, text }) => ({ text, control: controls.find((each) => each.name === name) }));
  const [first] = known;
  if (first?.control === undefined || known.some(({ control }) => control === undefined)) return form.submit();
  for (const { control, text } of known) if (control !== undefined) say(control, text);
  markSent(false);
  release();
  first.control.focus();
}

/**
 * @param {HTMLFormElement} form
 * @param {string} address
 * @returns {Promise<{ name: string, text: string }[] | undefined>} nothing where the service cannot be reached
 */
async function problemsOf(form, address) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  try {
    const reply = await fetch(address, { method: 'POST', body, signal: abortsAfter(WAIT_MS) });
    return reply.ok ? (await reply.json()).problems : [];
  } catch (error) {
    return error instanceof TypeError ? undefined : [];
  }
}

/**
 * Inert, but not `disabled`: the focus stays, and a screen reader hears the new text.
 *
 * @param {HTMLButtonElement} button
 * @returns {() => void} makes it what it was
 */
function markBusy(button) {
  const text = button.textContent;
  button.setAttribute('aria-disabled', 'true');
  button.setAttribute('aria-live', 'polite');
  button.classList.add('busy');
  button.textContent = button.dataset['busy'] ?? text;
  return () => {
    button.removeAttribute('aria-disabled');
    button.classList.remove('busy');
    button.textContent = text;
  };
}

const forms = [...document.querySelectorAll('form[data-form]')].filter((each) => each instanceof HTMLFormElement);
for (const form of forms) prepare(form);

// The browser kept the page as it was when the payer left it: the payment may have moved, so the page is asked for anew.
// A page that answered a form is left for the page itself, so that the form is not sent again.
// A page that sends the payer away keeps in its history that it did, and stays.
addEventListener('pageshow', (event) => {
  if (!event.persisted || forms.length === 0 || document.querySelector('[data-once]') !== null) return;
  const { base = '' } = document.body.dataset;
  location.replace(location.pathname === base ? base + location.search : base);
});

const invalid = document.querySelectorAll('[aria-invalid="true"]');
const summary = document.querySelector('[data-summary]');
const target = invalid.length === 1 ? invalid[0] : summary;
if (target instanceof HTMLElement) target.focus();

// For an address with a fragment the browser takes the focus away when the page has loaded (HTML, scroll to the fragment), also from a payer who
// types already. So a script brings the open method into sight, and links need no fragment.
for (const link of document.querySelectorAll('a[href$="#chosen"]'))
  if (link instanceof HTMLAnchorElement) link.hash = '';
if (!(target instanceof HTMLElement)) document.getElementById('chosen')?.scrollIntoView({ block: 'nearest' });
