// Copies a code or a detail and says so aloud. Prints the page.

const SHOWN_FOR = 3000;

const spoken = document.createElement('p');
spoken.className = 'spoken';
spoken.setAttribute('role', 'status');
if (document.querySelector('[data-copy]') !== null) document.body.append(spoken);

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For pages without the clipboard. @param {string} text */
function copyBySelection(text) {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'spoken';
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  const label = button.textContent;
  const done = button.dataset['copied'] ?? '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  button.addEventListener('click', async () => {
    if (!(await copy(button.dataset['copy'] ?? ''))) return;
    button.textContent = done;
    button.classList.add('done');
    button.focus();
    // Emptied first, so that a second press is spoken too.
    spoken.textContent = '';
    requestAnimationFrame(() => {
      spoken.textContent = done;
    });
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
      button.classList.remove('done');
    }, SHOWN_FOR);
  });
}

for (const button of document.querySelectorAll('[data-print]')) button.addEventListener('click', () => print());

for (const shown of document.querySelectorAll('input[readonly]'))
  if (shown instanceof HTMLInputElement) shown.addEventListener('focus', () => shown.select());
