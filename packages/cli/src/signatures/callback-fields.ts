import { nestBrackets } from '@railyard/core';
import { callbackText } from '@railyard/core/protocol';
import { type Attempt, backwards, commandAttempt, type Field, hex, laid } from './attempt.ts';
import type { Mistake } from './mistakes.ts';

/** The formula of callbacks of S2S APM, which covers every field in place of some (reference: Signatures of S2S APM, F). */
export const ALL_FIELDS = 'callback_fields';

export const ALL_FIELDS_TEXT =
  'upper(each value backwards, in the order of the names, nested ones in place + password)';

/** The values of a callback in the order in which they are signed, each under its whole name. */
export function fieldsInOrder(data: unknown): Field[] {
  return flat(nestBrackets(Object(data))).filter(([name]) => name !== 'hash');
}

function flat(data: object, prefix = ''): Field[] {
  const entries = Object.entries(data).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return entries.flatMap(([name, value]: [string, unknown]): Field[] => {
    const place = prefix === '' ? name : `${prefix}[${name}]`;
    return typeof value === 'object' && value !== null ? flat(value, place) : [[place, String(value ?? '')]];
  });
}

/** The fields as core takes them: under names that sort as they stand. */
export const asSigned = (fields: readonly Field[]): Readonly<Record<string, string>> =>
  Object.fromEntries(fields.map(([, value], at) => [`at-${String(at).padStart(6, '0')}`, value]));

/** As the protocol says. */
export const callbackAttempt = (fields: readonly Field[], password: string): Attempt => ({
  ...commandAttempt(fields, password),
  lay: (given, secret, dialect) => laid((own) => callbackText(asSigned(given), own, dialect), secret),
});

const join = (fields: readonly Field[]): string => fields.map(([, value]) => value).join('');
const turned = (fields: readonly Field[]): string => fields.map(([, value]) => backwards(value)).join('');

/** The typical mistakes behind the hash of such a callback. */
export const CALLBACK_MISTAKES: readonly Mistake[] = [
  {
    name: 'field-order',
    advice: 'Sort the fields by their names, nested ones within their object, before their values are joined.',
    variants: (right, all) => [
      {
        says: 'over the fields in the order in which they came',
        attempt: { ...right, fields: Object.entries(all) },
      },
    ],
  },
  {
    name: 'not-reversed',
    advice: 'Reverse each value by itself. Then append the password, not reversed, and upper-case the whole text.',
    variants: (right) => [
      {
        says: 'without turning the values round',
        attempt: { ...right, lay: (fields, password) => (join(fields) + password).toUpperCase() },
      },
      {
        says: 'with the whole text turned round',
        attempt: { ...right, lay: (fields, password) => (backwards(join(fields)) + password).toUpperCase() },
      },
      {
        says: 'with the password turned round too',
        attempt: { ...right, lay: (fields, password) => (turned(fields) + backwards(password)).toUpperCase() },
      },
    ],
  },
  {
    name: 'case',
    advice: 'Raise the whole text to upper case, with the password.',
    variants: (right) => [
      {
        says: 'without raising the password to upper case',
        attempt: { ...right, lay: (fields, password) => turned(fields).toUpperCase() + password },
      },
      {
        says: 'without raising the text to upper case',
        attempt: { ...right, lay: (fields, password) => turned(fields) + password },
      },
    ],
  },
  {
    name: 'password-missing',
    advice: 'Put the password behind the values.',
    variants: (right) => [{ says: 'without the password', attempt: { ...right, password: '' } }],
  },
  {
    name: 'digest',
    advice: 'The hash is one digest of the text in hexadecimal digits: MD5, or SHA-256 where that was agreed.',
    variants: (right) => [
      { says: 'with SHA-1 over the digest', attempt: { ...right, digests: undefined } },
      {
        says: 'with SHA-1 alone',
        attempt: { ...right, digests: (text) => hex('sha1', text) },
      },
      {
        says: 'with the same digest twice',
        attempt: { ...right, digests: (text, inner) => hex(inner, hex(inner, text)) },
      },
    ],
  },
];
