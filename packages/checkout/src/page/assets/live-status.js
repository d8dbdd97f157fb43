// Shows the result as soon as it is known: the server sends an event when the payment's version grew, then the page loads again.
// A stream of events where it works, else questions. At most 40 requests in five minutes, whatever happens.

import { abortsAfter } from './time-out.js';

const SECOND = 1000;
const WINDOW = 300 * SECOND;
const MOST_REQUESTS = 38;
/** How often to ask while there is no stream: often at first, then seldom. */
const EAGER = 2 * SECOND;
const EAGER_FOR = 40 * SECOND;
const CALM = 20 * SECOND;
/** A stream may die without a word, for example when a phone changes its network: it is looked after. */
const LOOK_AFTER = 60 * SECOND;
const RETRY_STREAM = 60 * SECOND;
/** A clock that jumped by so much has slept. */
const SLEPT = 10 * SECOND;

const { base = '', version = '0' } = document.body.dataset;
const status = document.querySelector('[data-status]');
const statusText = status?.querySelector('[data-status-text]') ?? null;
const waitingText = statusText?.textContent ?? '';
const offlineText = status?.getAttribute('data-offline') ?? '';

/** @type {number[]} */
let requests = [];
/** @type {EventSource | undefined} */
let stream;
let streamTried = 0;
let asked = 0;
let began = Date.now();
let leaving = false;
/** @type {Promise<void> | undefined} */
let asking;

/** Whether one more request keeps within the limit; counts it if so. */
function mayRequest() {
  const now = Date.now();
  requests = requests.filter((time) => now - time < WINDOW && time <= now);
  if (requests.length >= MOST_REQUESTS) return false;
  requests.push(now);
  return true;
}

/** @param {unknown} update */
function take(update) {
  say(false);
  if (leaving || typeof update !== 'object' || update === null || !('version' in update)) return;
  if (typeof update.version !== 'number' || update.version <= Number(version)) return;
  leaving = true;
  stream?.close();
  location.replace(base);
}

/** @param {boolean} offline */
function say(offline) {
  const text = offline && offlineText !== '' ? offlineText : waitingText;
  if (statusText !== null && statusText.textContent !== text) statusText.textContent = text;
}

function ask() {
  asking ??= fetchStatus().finally(() => {
    asking = undefined;
  });
  return asking;
}

async function fetchStatus() {
  if (leaving || !mayRequest()) return;
  asked = Date.now();
  try {
    const reply = await fetch(`${base}/status`, { cache: 'no-store', signal: abortsAfter(8 * SECOND) });
    if (reply.ok) take(await reply.json());
  } catch {
    say(!navigator.onLine);
  }
}

function listen() {
  if (stream !== undefined || leaving || !mayRequest()) return;
  streamTried = Date.now();
  const opened = new EventSource(`${base}/events`);
  stream = opened;
  opened.addEventListener('message', (event) => {
    asked = Date.now();
    try {
      take(JSON.parse(event.data));
    } catch {
      void ask();
    }
  });
  // The browser would try again every three seconds without end; the rhythm below does it within the limit.
  opened.addEventListener('error', () => {
    opened.close();
    if (stream !== opened) return;
    stream = undefined;
    if (Date.now() - asked >= EAGER) void ask();
  });
}

/** Anything may have happened meanwhile: the stream is opened anew and the status asked at once. */
function wake() {
  if (document.visibilityState === 'hidden') return;
  stream?.close();
  stream = undefined;
  began = Date.now();
  listen();
  void ask();
}

let last = Date.now();
setInterval(() => {
  const now = Date.now();
  const slept = now - last > SLEPT && document.visibilityState === 'visible';
  last = now;
  if (slept) wake();
  if (!navigator.onLine) return say(true);
  if (stream === undefined && now - streamTried >= RETRY_STREAM) listen();
  const pause = stream?.readyState === EventSource.OPEN ? LOOK_AFTER : now - began < EAGER_FOR ? EAGER : CALM;
  if (now - asked >= pause) void ask();
}, SECOND);

// A form brings its own answer, which must not be thrown away.
document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return;
  leaving = true;
  stream?.close();
});
addEventListener('online', wake);
addEventListener('offline', () => say(true));
addEventListener('pagehide', () => stream?.close());
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
document.addEventListener('visibilitychange', () => {
  // Back from the bank's app: the most likely moment for a change.
  if (document.visibilityState === 'visible' && Date.now() - asked > EAGER) {
    if (stream?.readyState === EventSource.OPEN) void ask();
    else wake();
  }
});
// Another script wants to know for certain, for example when the time of a code is over.
document.addEventListener('railyard:check', (event) => {
  void ask().finally(() => {
    if (event instanceof CustomEvent && typeof event.detail === 'function' && !leaving) event.detail();
  });
});

listen();
