import { isDriftPlace } from '@railyard/runtime';

const MASK = '•••';

/** How a field may look. Everything else is masked. */
type Form =
  /** A word of ours, of a connector or of the configuration: a name, a state, an id. */
  | 'word'
  | 'number'
  | 'flag'
  /** A name that a connector declares. */
  | 'name'
  /** Names of a provider's fields, as the runtime lets them out. */
  | 'place'
  /** A merchant's order number: an operator finds payments by it, however long it is. */
  | 'order'
  /** A sentence. */
  | 'text'
  /** The message of an error, which may quote values. */
  | 'error'
  /** Fields of a provider's request or reply that its endpoint marks as visible, or the id of a request. */
  | 'exchange';

/** Every field that a line may have. Any other field is masked, however it came into the line. */
const FIELDS = {
  action: 'word',
  amount: 'word',
  attempt: 'number',
  callback: 'word',
  connector: 'word',
  days: 'number',
  detail: 'text',
  due: 'number',
  endpoint: 'name',
  error: 'error',
  finding: 'word',
  flow: 'word',
  form: 'place',
  from: 'word',
  host: 'word',
  id: 'word',
  key: 'text',
  kind: 'word',
  merchant: 'word',
  method: 'word',
  mid: 'word',
  modification: 'word',
  notification: 'word',
  operation: 'word',
  order: 'order',
  outcome: 'word',
  payment: 'word',
  place: 'place',
  release: 'word',
  reply: 'exchange',
  request: 'exchange',
  result: 'word',
  rows: 'number',
  secondsAhead: 'number',
  run: 'word',
  session: 'word',
  since: 'word',
  state: 'word',
  status: 'number',
  step: 'word',
  subject: 'word',
  test: 'flag',
  to: 'word',
  tries: 'number',
  unknown: 'flag',
  until: 'word',
  using: 'number',
  variant: 'name',
  version: 'number',
  why: 'text',
  work: 'word',
} as const satisfies Record<string, Form>;

export type LogField = keyof typeof FIELDS;

const forms: ReadonlyMap<string, Form> = new Map(Object.entries(FIELDS));

/** An event with its fields as they may be written. */
export function visible(
  event: string,
  fields: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): { readonly event: string } & Readonly<Record<string, unknown>> {
  const line: { event: string; [name: string]: unknown } = { event };
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) line[name] = shown(forms.get(name), value, secrets);
  return line;
}

function shown(form: Form | undefined, value: unknown, secrets: readonly string[]): unknown {
  if (value === null) return null;
  switch (form) {
    case undefined:
      return MASK;
    case 'number':
      return typeof value === 'number' ? value : MASK;
    case 'flag':
      return typeof value === 'boolean' ? value : MASK;
    case 'word':
      return typeof value === 'string' && WORD.test(value) ? text(value, secrets) : MASK;
    case 'name':
      return typeof value === 'string' && (value === '' || WORD.test(value)) && !holdsSecret(value, secrets)
        ? value
        : MASK;
    case 'place':
      return typeof value === 'string' && isDriftPlace(value) && !holdsSecret(value, secrets) ? value : MASK;
    case 'order':
      return typeof value === 'string' && isOrderNumber(value) && !holdsSecret(value, secrets) ? value : MASK;
    case 'text':
      return typeof value === 'string' ? text(value, secrets) : MASK;
    case 'error':
      // Text in quotes is a value that was sent, as in the messages of a database.
      return typeof value === 'string' ? text(value.replace(QUOTED, `$1${MASK}$1`), secrets) : MASK;
    case 'exchange':
      return deep(value, secrets);
  }
}

/** A merchant may put anything into an order number: nothing that looks like a mail address or like a card's number is shown. */
const isOrderNumber = (value: string) =>
  WORD.test(value) &&
  !value.includes('@') &&
  !(value.match(CARD_NUMBER) ?? []).some((digits) => CARD_START.test(digits));
/** First digits of the card networks (ISO/IEC 7812; Mastercard has 2221 to 2720 too): a number that begins with a year is none. */
const CARD_START = /^(?:[3-9]|2[2-7])/;

const holdsSecret = (value: string, secrets: readonly string[]) => secrets.some((each) => value.includes(each));

function deep(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return text(value, secrets, true);
  // A number may be a card's.
  if (typeof value === 'number') return text(String(value), secrets, true) === String(value) ? value : MASK;
  if (Array.isArray(value)) return value.map((each) => deep(each, secrets));
  if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : null;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [text(name, secrets), deep(each, secrets)]));
}

const WORD = /^[\w.:#/@{}[\] -]{1,128}$/;
/** A word that is neither an address nor a number, and too short for a token; a number too short for a card's; and the mask. */
const PLAIN_WORD = /^(?:[a-z][a-z_.-]{0,22}|[\d.]{1,11}|•••)$/i;
/** Our own ids. Ids of callbacks, which `callbacks replay` accepts, begin with `msg_`. */
const OUR_ID = /^(msg_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The same within a sentence, where some have as many digits in a row as a card's number. */
const OUR_IDS = /(?<![\w-])((?:msg_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/i;
const QUOTED = /(["'`])[^"'`]{1,500}\1/g;
const MAX_LENGTH = 500;

/** Removed from every line: control characters, mail addresses, paths of addresses. */
const NEVER: readonly (readonly [RegExp, string])[] = [
  // oxlint-disable-next-line no-control-regex -- because control characters are what it removes
  [/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' '],
  [/(https?:\/\/)(?:[^\s/?#@]*@)?([^\s/?#"']*)[^\s"']*/g, '$1$2/…'],
  [/(?<![^\s@"'<>])[^\s@"'<>]+@[^\s@"'<>]+/g, MASK],
];
/** As long as a card's, or longer: in our own words no other number is. */
const LONG_NUMBER = /\d(?:[ -]?\d){11,}/g;
/** Exactly as long as a card's: ids of providers may have more digits. */
const CARD_NUMBER = /(?<!\d)\d(?:[ -]?\d){11,18}(?!\d)/g;
/** Long enough to be a key or a token. */
const TOKEN = /[\w+/=-]{24,}/g;

/**
 * A text without secrets. Ids of ours are shown as they are, and of what a connector made visible (`providers`) those of providers,
 * which look like tokens.
 */
function text(value: string, secrets: readonly string[], providers = false): string {
  if (OUR_ID.test(value) || (PLAIN_WORD.test(value) && !holdsSecret(value, secrets))) return value;
  let clean = value;
  for (const secret of secrets) clean = clean.replaceAll(secret, MASK);
  clean = clean.slice(0, MAX_LENGTH * 2);
  for (const [pattern, instead] of NEVER) clean = clean.replace(pattern, instead);
  const whole = providers
    ? clean.replace(CARD_NUMBER, MASK)
    : withoutLongNumbers(clean).replace(TOKEN, (found) => (OUR_ID.test(found) ? found : MASK));
  return whole.slice(0, MAX_LENGTH);
}

/** Between ids of ours: every second piece is one. */
const withoutLongNumbers = (value: string): string =>
  value
    .split(OUR_IDS)
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replace(LONG_NUMBER, MASK)))
    .join('');
