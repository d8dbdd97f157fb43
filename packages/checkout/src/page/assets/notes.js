// The notes beside inputs: which entry is wrong, and why.

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

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
export const isControl = (element) =>
  (element instanceof HTMLInputElement && element.type !== 'hidden') || element instanceof HTMLSelectElement;

/** Checks one field, and shows or clears its note. @param {HTMLFormElement} form @param {Control} control */
export function check(form, control) {
  const { validity } = control;
  const missing = validity.valueMissing || (control.required && control.value.trim() === '');
  // Another script may know the problem better.
  const wrong = validity.customError ? control.validationMessage : form.dataset['wrong'];
  const text = missing ? form.dataset['missing'] : validity.valid ? '' : wrong;
  say(control, text ?? '');
}

/** Shows the problem of one field, or clears its note. @param {Control} control @param {string} problem */
export function say(control, problem) {
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
  control.setAttribute('aria-invalid', String(problem !== ''));
}

/** Checks the fields of a form while the payer edits and leaves them. @param {HTMLFormElement} form @param {readonly Control[]} controls */
export function watch(form, controls) {
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
}
