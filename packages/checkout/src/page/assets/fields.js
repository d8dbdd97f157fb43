// Speaks with the merchant's page that holds this frame, and sends the card to the service. That page learns neither number nor code.
import './card.js';
import { brandIn, chosenBrand, typedBrands } from './card-brands.js';
import { check, say, watch } from './notes.js';

/** @typedef {'card' | 'expiry' | 'cvv'} Field */
/** @typedef {{ origin: string, nonce: string, group: string, parts: readonly Field[] }} Holder */
/** @typedef {{ number?: string, brand?: string, expiry?: string, cvv?: string, saved?: string }} Entry */
/** @typedef {{ entry: Entry, wrong?: Field | undefined, text?: string }} Collected */

/** @type {Readonly<Record<string, Field>>} */
const FIELDS = { 'card.number': 'card', 'card.expiry': 'expiry', 'card.cvv': 'cvv' };
/** A wrong network is told beside the number. @type {Readonly<Record<string, Field>>} */
const REFUSED = { ...FIELDS, 'card.brand': 'card' };
/** @type {Readonly<Record<Field, 'number' | 'expiry' | 'cvv'>>} */
const ENTRIES = { card: 'number', expiry: 'expiry', cvv: 'cvv' };
/** Frames of one page answer each other in a moment. */
const ASK_MS = 5000;
const SEND_MS = 20_000;
/** More is no text for a field. */
const LONGEST = 200;

const { body, documentElement: root } = document;
const { token = '' } = body.dataset;
const origins = (body.dataset['origins'] ?? '').split(' ').filter((each) => each !== '');
const form = /** @type {HTMLFormElement} */ (document.querySelector('[data-fields]'));
const card = /** @type {HTMLElement} */ (document.querySelector('[data-card]'));
/** @type {Map<Field, HTMLInputElement>} */
const inputs = new Map();
for (const input of card.querySelectorAll('input')) {
  const field = FIELDS[input.name];
  if (field !== undefined) inputs.set(field, input);
}

/** The page that holds the frame, once it has said so. @type {Holder | undefined} */
let holder;

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null;
/** @param {unknown} value */
const textOf = (value) => (typeof value === 'string' ? value.slice(0, LONGEST) : '');

/** To the page that holds the frame, and to no other. @param {string} type @param {object} [more] */
function tell(type, more) {
  if (holder !== undefined) window.parent.postMessage({ ...more, nonce: holder.nonce, type }, holder.origin);
}

/** The card that the form is about: a saved one, or one that is typed. */
const chosen = () => {
  const choice = form.querySelector('input[name="choice"]:checked');
  return choice instanceof HTMLInputElement && choice.value !== 'new' ? choice : undefined;
};
/** The inputs that count. A saved card has a number and a date. */
const asked = () => [...inputs].filter(([field]) => field === 'cvv' || chosen() === undefined);

/** @param {HTMLInputElement} input */
const isValid = ({ validity }) => validity.valid;

/** @param {Field} field @param {HTMLInputElement} input */
function stateOf(field, input) {
  return {
    field,
    valid: isValid(input),
    empty: input.value === '',
    error: input.validationMessage,
    complete: asked().every(([, each]) => isValid(each)),
    ...(inputs.has('card') && { brand: brandIn(card), brands: typedBrands(card) }),
  };
}

/** The last reported state of each field. @type {Map<Field, string>} */
const reported = new Map();

function tellChanges() {
  for (const [field, input] of inputs) {
    const state = stateOf(field, input);
    const text = JSON.stringify(state);
    if (reported.get(field) === text) continue;
    reported.set(field, text);
    tell('change', state);
  }
}

/** @param {(field: Field, input: HTMLInputElement) => void} act */
const ofField =
  (act) =>
  (/** @type {Event} */ { target }) => {
    for (const [field, input] of inputs) if (input === target) act(field, input);
  };

function listen() {
  watch(form, [...inputs.values()]);
  form.addEventListener(
    'input',
    ofField((field, input) => tell('input', stateOf(field, input))),
  );
  for (const edit of ['input', 'change', 'compositionend'])
    form.addEventListener(edit, () => {
      tellChanges();
      if (inputs.has('card')) tellFields('brand', { brand: brandIn(card) });
    });
  form.addEventListener(
    'focusin',
    ofField((field) => tell('focus', { field })),
  );
  form.addEventListener(
    'focusout',
    ofField((field, input) => tell('blur', stateOf(field, input))),
  );
  form.addEventListener('keydown', ({ key, isComposing }) => {
    if (key === 'Enter' && !isComposing) tell('submit');
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  for (const choice of form.querySelectorAll('input[name="choice"]')) choice.addEventListener('change', showChosen);
  showChosen();
  new ResizeObserver(() => tell('height', { height: Math.ceil(body.getBoundingClientRect().height) })).observe(body);
}

/** A saved card needs its code alone. */
function showChosen() {
  const saved = chosen();
  for (const [field, input] of inputs) {
    const box = input.closest('.field');
    if (field !== 'cvv' && box instanceof HTMLElement) box.hidden = saved !== undefined;
  }
  setBrand(saved?.dataset['brand']);
}

/** @param {string | undefined} brand of the card whose code is typed here */
function setBrand(brand) {
  if (card.dataset['brand'] === (brand ?? '')) return;
  card.dataset['brand'] = brand ?? '';
  card.dispatchEvent(new Event('change', { bubbles: true }));
}

/** The other frames of this token on the page: pages of the service like this one, to which alone messages are sent. */
function* otherFrames() {
  for (let index = 0; index < window.parent.length; index += 1) {
    const frame = window.parent[index];
    try {
      if (frame !== undefined && frame !== window && frame.location.origin === location.origin) yield frame;
    } catch {
      // A page of another origin.
    }
  }
}

/** @param {string} type @param {object} [more] */
function tellFields(type, more) {
  for (const frame of otherFrames()) frame.postMessage({ ...more, type, token, group: holder?.group }, location.origin);
}

/** The part of the card that stands in this frame. @returns {Collected} */
function own() {
  /** @type {Entry} */
  const entry = {};
  for (const [field, input] of asked()) entry[ENTRIES[field]] = input.value;
  if (inputs.has('card')) entry.saved = chosen()?.value ?? 'new';
  const brand = chosenBrand(card);
  if (brand !== undefined) entry.brand = brand;
  for (const [, input] of asked()) check(form, input);
  const [wrong] = asked().find(([, input]) => !isValid(input)) ?? [];
  return wrong === undefined ? { entry } : { entry, wrong, text: inputs.get(wrong)?.validationMessage ?? '' };
}

/** Takes the parts of the other frames, in the one that sends the card. @type {((field: Field, part: Collected) => void) | undefined} */
let takePart;

/** @returns {Promise<Collected | undefined>} nothing where a frame does not answer */
function collected() {
  /** @type {Map<Field, Collected>} */
  const parts = new Map();
  const mine = own();
  for (const field of inputs.keys()) parts.set(field, mine);
  const wanted = holder?.parts ?? [];
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ASK_MS);
    const look = () => {
      if (wanted.some((field) => !parts.has(field))) return;
      clearTimeout(timer);
      takePart = undefined;
      const all = [...new Set(wanted.map((field) => parts.get(field)))].filter((part) => part !== undefined);
      const first = all.find(({ wrong }) => wrong !== undefined);
      resolve({ ...first, entry: Object.assign({}, ...all.map(({ entry }) => entry)) });
    };
    takePart = (field, part) => {
      parts.set(field, part);
      look();
    };
    tellFields('ask');
    look();
  });
}

/** Sends the card, and tells the page how that ended. */
async function collect() {
  const all = await collected();
  if (all === undefined) return tell('result', failure('incomplete', body.dataset['failed']));
  if (all.wrong !== undefined)
    return tell('result', { ...failure('invalid', all.text), field: all.wrong, errors: { [all.wrong]: all.text } });
  tell('result', await sent(all.entry));
}

/** @param {string} code @param {string | undefined} message */
const failure = (code, message) => ({ result: 'error', code, message: message ?? '' });

/** @type {Readonly<Record<number, readonly [code: string, text: string]>>} */
const REFUSALS = { 401: ['expired', 'over'], 409: ['busy', 'failed'], 429: ['limited', 'limited'] };

/** @param {Entry} entry */
async function sent(entry) {
  try {
    const reply = await fetch('/fields/card', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': root.lang, token },
      body: JSON.stringify(entry),
      signal: AbortSignal.timeout(SEND_MS),
    });
    const answer = await reply.json();
    if (reply.ok) return { result: 'success', message: '', card: answer.card };
    if (reply.status === 422) return refused(answer.problems);
    const [code, text] = REFUSALS[reply.status] ?? ['failed', 'failed'];
    return failure(code, body.dataset[text]);
  } catch {
    return failure('unreachable', body.dataset['unsent']);
  }
}

/** @param {readonly { name: string, text: string }[]} problems */
function refused(problems) {
  const known = problems.flatMap(({ name, text }) => {
    const field = REFUSED[name];
    return field === undefined ? [] : [/** @type {const} */ ([field, text])];
  });
  for (const [field, text] of known) showProblem(field, text);
  tellFields('problems', { known });
  const [field, message] = known[0] ?? [];
  return { ...failure('invalid', message ?? body.dataset['failed']), field, errors: Object.fromEntries(known) };
}

/** @param {Field} field @param {string} text */
function showProblem(field, text) {
  const input = inputs.get(field);
  if (input !== undefined) say(input, text);
}

/** Selectors and properties that a page may set: enough for the look, and nothing that loads from an address. @type {Readonly<Record<string, string>>} */
const SELECTORS = {
  input: 'input:not([type="radio"])',
  'input:focus': 'input:not([type="radio"]):focus',
  'input:invalid': 'input[aria-invalid="true"]',
  '::placeholder': 'input::placeholder',
  label: 'label',
  error: '.problem',
};
const PROPERTIES =
  /^(?:background-color|border(?:-(?:top|right|bottom|left))?(?:-(?:color|width|style))?|border-radius|box-shadow|caret-color|color|font-(?:family|size|style|weight)|height|letter-spacing|line-height|min-height|opacity|outline(?:-(?:color|width|style|offset))?|padding(?:-(?:top|right|bottom|left))?|text-align|width)$/;

/** @param {string} name */
const hyphened = (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Sets the look. Values are set one by one, so that none reaches out of its property. @param {unknown} style @returns {string[]} what is not set */
function setStyle(style) {
  /** @type {string[]} */
  const ignored = [];
  const sheet = new CSSStyleSheet();
  for (const [name, properties] of Object.entries(isObject(style) ? style : {})) {
    const selector = Object.hasOwn(SELECTORS, name) ? SELECTORS[name] : undefined;
    if (selector === undefined || !isObject(properties)) {
      ignored.push(name);
      continue;
    }
    const rule = sheet.cssRules[sheet.insertRule(`${selector} {}`, sheet.cssRules.length)];
    for (const [written, value] of Object.entries(properties)) {
      const property = written === 'background' ? 'background-color' : hyphened(written);
      const isPlace = property !== 'opacity' || name === '::placeholder';
      if (rule instanceof CSSStyleRule && PROPERTIES.test(property) && isPlace)
        rule.style.setProperty(property, textOf(value));
      else ignored.push(`${name} ${written}`);
    }
  }
  document.adoptedStyleSheets = [sheet];
  return ignored;
}

/** @param {Record<string, unknown>} fields by name: their labels and placeholders */
function setWords(fields) {
  for (const [field, input] of inputs) {
    const { label, placeholder } = /** @type {Record<string, unknown>} */ (fields[field] ?? {});
    if (textOf(placeholder) !== '') input.placeholder = textOf(placeholder);
    const words = input.labels?.[0]?.querySelector('bdi');
    if (textOf(label) !== '' && words) words.textContent = textOf(label);
  }
}

/** @param {Record<string, unknown>} data @param {string} origin */
function begin({ nonce, group, parts, fields, style, direction, scheme }, origin) {
  if (typeof nonce !== 'string' || typeof group !== 'string' || !Array.isArray(parts)) return;
  holder = { origin, nonce, group, parts };
  setWords(isObject(fields) ? fields : {});
  if (direction === 'rtl' || direction === 'ltr') root.dir = direction;
  root.style.setProperty('color-scheme', textOf(scheme));
  const ignored = setStyle(style);
  listen();
  tell('ready', { ignored, height: Math.ceil(body.getBoundingClientRect().height) });
}

/** From the page that holds the frame. @param {Record<string, unknown>} data @param {string} origin */
function fromHolder(data, origin) {
  if (holder === undefined) return data['type'] === 'init' ? begin(data, origin) : undefined;
  if (origin !== holder.origin || data['nonce'] !== holder.nonce) return;
  if (data['type'] === 'collect') void collect();
  if (data['type'] === 'focus') (asked().find(([field]) => field === data['field']) ?? asked()[0])?.[1].focus();
  if (data['type'] === 'clear') clear();
}

function clear() {
  for (const input of inputs.values()) {
    input.value = '';
    say(input, '');
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

/** From another frame of this token. @param {Record<string, unknown>} data @param {Window} from */
function fromField(data, from) {
  if (data['token'] !== token || data['group'] !== holder?.group) return;
  switch (data['type']) {
    case 'ask':
      for (const field of inputs.keys())
        from.postMessage({ type: 'part', token, group: holder?.group, field, part: own() }, location.origin);
      return;
    case 'part':
      return takePart?.(/** @type {Field} */ (data['field']), /** @type {Collected} */ (data['part']));
    case 'problems':
      for (const [field, text] of /** @type {readonly (readonly [Field, string])[]} */ (data['known']))
        showProblem(field, text);
      return;
    case 'brand':
      if (inputs.has('cvv')) setBrand(/** @type {string | undefined} */ (data['brand']));
  }
}

addEventListener('message', ({ data, origin, source }) => {
  if (window.parent === window || !isObject(data)) return;
  if (source === window.parent) return origins.includes(origin) ? fromHolder(data, origin) : undefined;
  const field = origin === location.origin ? [...otherFrames()].find((frame) => frame === source) : undefined;
  if (field !== undefined) fromField(data, field);
});
