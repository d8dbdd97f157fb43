// Checks entries before they are sent, and makes a button inert once it was pressed.

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

/** An answer that takes longer is not waited for: the form is sent as it is. */
const WAIT_MS = 10_000;

/**
 * Work that waits until the payer releases the button or link that is pressed. A note that appears before that moves the button away from the
 * pointer, and the browser then makes no click of the press. A touch reaches the page as a press of the mouse, too.
 *
 * @type {(() => void)[]}
 */
const afterPress = [];
let isPressing = false;

addEventListener(
  'mousedown',
  ({ target }) => {
    isPressing = target instanceof Element && target.closest('button, a, label, input[type="checkbox"]') !== null;
  },
  { capture: true },
);
for (const end of ['mouseup', 'dragend', 'keydown', 'blur'])
  // The click follows in the same task.
  addEventListener(
    end,
    ({ target }) => {
      if (end === 'blur' && target !== window) return;
      setTimeout(() => {
        isPressing = false;
        for (const act of afterPress.splice(0)) act();
      });
    },
    { capture: true },
  );

/** @param {Element} element @returns {element is Control} */
const isControl = (element) =>
  (element instanceof HTMLInputElement && element.type !== 'hidden') || element instanceof HTMLSelectElement;

/** Checks one field, and shows or clears its note. @param {HTMLFormElement} form @param {Control} control */
function check(form, control) {
  const { validity } = control;
  const missing = validity.valueMissing || (control.required && control.value.trim() === '');
  // Another script may know better what is wrong.
  const wrong = validity.customError ? control.validationMessage : form.dataset['wrong'];
  const text = missing ? form.dataset['missing'] : validity.valid ? '' : wrong;
  say(control, text ?? '');
}

/** Shows what is wrong with one field, or clears its note. @param {Control} control @param {string} problem */
function say(control, problem) {
  const note = document.getElementById(`${control.id}-problem`);
  if (note === null) return;
  note.textContent = problem;
  note.hidden = problem === '';
  const others = (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((id) => id !== '' && id !== note.id);
  const described = problem === '' ? others : [...others, note.id];
  if (described.length > 0) control.setAttribute('aria-describedby', described.join(' '));
  else control.removeAttribute('aria-describedby');
  if (problem === '') control.removeAttribute('aria-invalid');
  else control.setAttribute('aria-invalid', 'true');
}

/** @param {HTMLFormElement} form */
function prepare(form) {
  const controls = [...form.elements].filter(isControl);
  // The browser's own bubbles speak the browser's language and vanish; without this script they are better than nothing.
  form.noValidate = true;
  for (const control of controls) {
    let touched = false;
    control.addEventListener('input', () => {
      touched = true;
      if (control.getAttribute('aria-invalid') === 'true') check(form, control);
    });
    control.addEventListener('blur', () => {
      if (!touched) return;
      if (isPressing) afterPress.push(() => check(form, control));
      else check(form, control);
    });
  }
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
 * Asks the service what it would refuse, and says so beside the fields. Whatever it cannot say there, the page that follows says.
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
    const reply = await fetch(address, { method: 'POST', body, signal: AbortSignal.timeout(WAIT_MS) });
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

for (const form of document.querySelectorAll('form[data-form]')) if (form instanceof HTMLFormElement) prepare(form);

// The browser kept the page as it was when the payer left it: the payment may have moved, so the page is asked for anew.
// A page that answered a form is left for the page itself, so that the form is not sent again.
addEventListener('pageshow', (event) => {
  const { base = '' } = document.body.dataset;
  if (event.persisted) location.replace(location.pathname === base ? base + location.search : base);
});

const invalid = document.querySelectorAll('[aria-invalid="true"]');
const summary = document.querySelector('[data-summary]');
const target = invalid.length === 1 ? invalid[0] : summary;
if (target instanceof HTMLElement) target.focus();
