import type { Issue } from './issue.ts';
import { TEXTS, WRONG_HASH } from './texts.ts';

/** By the text of a problem. */
const BY_TEXT: ReadonlyMap<string, string> = new Map([
  [TEXTS.country, 'Two upper-case letters of ISO 3166-1, such as "BR".'],
  [TEXTS.language, 'Two letters of ISO 639-1, such as "en".'],
  [TEXTS.url, 'A whole address, such as "https://shop.example/paid".'],
  [TEXTS.email, 'An address such as "maria@shop.example".'],
  [TEXTS.date, 'A day as YYYY-MM-DD, such as "2030-01-31".'],
  [TEXTS.datetime, 'ISO 8601 with seconds, such as "2030-01-31T12:00:00Z".'],
  [TEXTS.time, 'Hours and minutes, such as "12:00".'],
  [TEXTS.ip, 'An IPv4 or IPv6 address, such as "192.0.2.1".'],
  [TEXTS.uuid, 'A UUID, such as "11111111-2222-4333-8444-555555555555".'],
  [TEXTS.type('boolean'), 'One of: true, false.'],
  [TEXTS.type('integer'), 'A whole number, such as 10.'],
  [WRONG_HASH, 'Check the password, the formula and the order of its fields. `railyard verify` finds the mistake.'],
]);

/** By the end of a path, of a value in a wrong form. */
const BY_PATH: readonly (readonly [path: RegExp, hint: string])[] = [
  [/amount$/, 'A decimal in a string, such as "10.00".'],
  [/currency$/, 'A code of ISO 4217 in upper case, such as "EUR".'],
  [/phone$/, 'Digits with the code of the country, such as "+5511987654321".'],
  [
    /^(?:customer|payee)\.name$/,
    'Letters, with spaces and marks such as "\'", "-" and "." between them; Latin letters alone, where the account is set so.',
  ],
];

const WRONG_FORM: ReadonlySet<string> = new Set([TEXTS.notValid, TEXTS.type('string')]);

/** More values are only counted, because an answer lists up to a hundred problems. */
const MOST_NAMED = 40;

function oneOf(values: readonly unknown[]): string {
  const named = values.slice(0, MOST_NAMED).join(', ');
  return values.length > MOST_NAMED ? `One of ${values.length} values, such as ${named}.` : `One of: ${named}.`;
}

function inWords(hint: Issue['hint']): string | undefined {
  if (typeof hint === 'object') return hint.length === 0 ? undefined : oneOf(hint);
  if (hint === undefined || hint === 'undefined') return undefined;
  return SENT_TYPES.has(hint) ? `It was sent as ${hint}.` : hint;
}

/** As `typeof` names them. */
const SENT_TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'object']);

const CURRENCY = 'order.currency';
const UNREAD = 'The amount is not read while order.currency is wrong. Correct order.currency first.';

/** The values that a field takes, as far as its problem tells: of the issue itself, and of its text and its path. @param all the issues of its request */
export function hintOf({ path, message, hint: given }: Issue, all: readonly Issue[]): string | undefined {
  // Published: see `readAmount`.
  if (path === 'order.amount' && message === TEXTS.greaterThanZero && all.some((each) => each.path === CURRENCY))
    return UNREAD;
  const hint =
    BY_TEXT.get(message) ?? (message === TEXTS.blank && typeof given === 'string' ? undefined : inWords(given));
  const ofPath = WRONG_FORM.has(message) ? BY_PATH.find(([end]) => end.test(path))?.[1] : undefined;
  if (ofPath === undefined) return hint;
  return hint === undefined ? ofPath : `${ofPath} ${hint}`;
}
