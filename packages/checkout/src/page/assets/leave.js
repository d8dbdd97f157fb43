// Goes on to the next page by itself: to the provider, or back to the merchant.

const framed = window.self !== window.top;

/** @param {HTMLElement} way */
function prepare(way) {
  if (framed && way.hasAttribute('data-top')) return openWindow(way);
  // A browser lets a page leave its frame only when the payer presses something.
  if (framed && ['_parent', '_top'].includes(way.getAttribute('target') ?? ''))
    return document.querySelector('[data-promise]')?.remove();
  const once = way.dataset['once'];
  if (once !== undefined && beenThere(once)) return;
  setTimeout(
    () => {
      if (once !== undefined) history.replaceState({ went: once }, '');
      go(way);
    },
    Number(way.dataset['after'] ?? '0'),
  );
}

/** Came back with Back, or loaded the page again: pressing Continue is the payer's choice now. @param {string} step */
function beenThere(step) {
  const state = /** @type {unknown} */ (history.state);
  return typeof state === 'object' && state !== null && 'went' in state && state.went === step;
}

/** @param {HTMLElement} way */
function go(way) {
  if (way instanceof HTMLFormElement) way.submit();
  else if (way instanceof HTMLAnchorElement) location.assign(way.href);
}

/** @param {HTMLElement} way */
function openWindow(way) {
  way.setAttribute('target', '_blank');
  document.querySelector('[data-new-window]')?.removeAttribute('hidden');
}

function start() {
  for (const way of document.querySelectorAll('[data-leave]')) if (way instanceof HTMLElement) prepare(way);
}

// A provider's page is not made for the frame, and in the frame it would replace the payment page.
if (framed)
  for (const way of document.querySelectorAll('[data-framed]')) if (way instanceof HTMLElement) openWindow(way);

// A page that is left before it is complete gets no place in the browser's history, and Back would miss it.
if (document.readyState === 'complete') start();
else addEventListener('load', start);
