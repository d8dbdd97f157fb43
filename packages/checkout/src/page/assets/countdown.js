// Counts down how long a code, and the page itself, is valid, by the server's clock.

const SECOND = 1000;
/** Longer than this is better read as a date, which the page already shows. */
const DAY = 86_400 * SECOND;
/** The page waits no longer than this for the status. */
const PATIENCE = 5 * SECOND;

/** Milliseconds by which the server's clock is ahead of this device's, however wrong that is. @param {Element} element */
function ahead(element) {
  const [entry] = performance.getEntriesByType('navigation');
  const answered = entry instanceof PerformanceNavigationTiming ? entry.responseStart : performance.now();
  // `data-now` was written when the answer began, and the page has been loading since.
  return Date.parse(element.getAttribute('data-now') ?? '') + (performance.now() - answered) - Date.now();
}

/** @param {number} seconds */
function clock(seconds) {
  const two = (/** @type {number} */ part) => String(part).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** Calls back each second with the time that is left, by the wall clock, so that a page that slept is right again at once.
 * @param {number} end @param {number} offset @param {(seconds: number) => void} tick */
function everySecond(end, offset, tick) {
  let over = false;
  const run = () => {
    if (over) return;
    const left = Math.max(0, end - Date.now() - offset);
    const seconds = Math.ceil(left / SECOND);
    tick(seconds);
    if (seconds === 0) over = true;
    else setTimeout(run, left % SECOND || SECOND);
  };
  document.addEventListener('visibilitychange', run);
  run();
}

/** @param {Element} element */
function countDown(element) {
  const limited = element.closest('[data-limited]');
  const over = limited?.parentElement?.querySelector('[data-over]');
  const spoken = limited?.querySelector('[data-spoken]');
  if (!(limited instanceof HTMLElement) || !(over instanceof HTMLElement) || limited.hidden) return;
  const end = Date.parse(element.getAttribute('data-countdown') ?? '');
  const offset = ahead(element);
  if (end - Date.now() - offset > DAY) return;
  const time = document.createElement('span');
  time.setAttribute('role', 'timer');
  time.className = 'time';
  element.replaceChildren(`${element.getAttribute('data-left')} `, time);
  let before = Infinity;

  const finish = () => {
    if (limited.hidden) return;
    const hadFocus = limited.contains(document.activeElement);
    limited.hidden = true;
    over.hidden = false;
    if (hadFocus) over.querySelector('h1')?.focus();
    else over.setAttribute('role', 'status');
  };
  everySecond(end, offset, (seconds) => {
    time.textContent = clock(seconds);
    element.classList.toggle('soon', seconds <= 30);
    for (const mark of [180, 60, 30])
      if (before > mark && seconds <= mark && seconds > mark - 5 && spoken)
        spoken.textContent = spoken.getAttribute(`data-say-${mark}`);
    before = seconds;
    if (seconds > 0) return;
    // A payer who paid in the last second sees the result, not a new code.
    document.dispatchEvent(new CustomEvent('railyard:check', { detail: finish }));
    setTimeout(finish, PATIENCE);
  });
}

/** Warns before the page itself closes, and then loads its new state. @param {Element} element */
function watchSession(element) {
  everySecond(Date.parse(element.getAttribute('data-session') ?? ''), ahead(element), (seconds) => {
    const text = element.getAttribute(seconds === 0 ? 'data-ended' : 'data-soon');
    if (seconds <= 120 && element.textContent !== text) element.textContent = text;
    if (seconds === 0) void close(0);
  });
}

/** The server's clock decides. @param {number} asked */
async function close(asked) {
  const { base = '', version = '0' } = document.body.dataset;
  // A form brings its own answer.
  if (document.querySelector('[data-sent="true"]')) return;
  const update = await fetch(`${base}/status`, { cache: 'no-store' })
    .then((reply) => reply.json())
    .catch(() => undefined);
  if (Number(update?.version) > Number(version)) location.replace(base);
  else if (asked < 5) setTimeout(() => void close(asked + 1), PATIENCE);
}

for (const element of document.querySelectorAll('[data-countdown]')) countDown(element);
for (const element of document.querySelectorAll('[data-session]')) watchSession(element);
