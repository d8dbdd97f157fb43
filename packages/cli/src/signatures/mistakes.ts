import { currencyNumber } from '@railyard/core/formats';
import { isGiven } from '@railyard/core/registry';
import { createHash, createHmac } from 'node:crypto';
import { type Attempt, type Field, hex } from './attempt.ts';

/** One typical mistake: the ways in which it is made, and what to do about it. */
export interface Mistake {
  readonly name: string;
  readonly variants: (right: Attempt, all: Readonly<Record<string, string>>) => readonly Variant[];
  readonly advice: string;
}

export interface Variant {
  /** The mistake, as the end of "the hash was made …". */
  readonly says: string;
  readonly attempt: Attempt;
}

/** The attempt with each field's value replaced by others. */
function changed(
  right: Attempt,
  isIt: (name: string) => boolean,
  others: (value: string) => readonly (readonly [string, string])[],
): Variant[] {
  return right.fields.flatMap(([name, value], index) =>
    isIt(name)
      ? others(value)
          .filter(([, other]) => other !== value)
          .map(([says, other]) => ({
            says: `with ${name} ${says} ("${other}" in place of "${value}")`,
            attempt: { ...right, fields: right.fields.with(index, [name, other]) },
          }))
      : [],
  );
}

const isAmount = (name: string) => name.endsWith('amount');
const isText = (name: string) => name.endsWith('description') || name === 'number' || name.endsWith('_id');

function amounts(value: string): readonly (readonly [string, string])[] {
  const [whole = '', decimals = ''] = value.split('.');
  const digits = `${whole}${decimals.padEnd(2, '0')}`.replace(/^0+(?=\d)/, '');
  return [
    ['without its decimals', whole],
    ['with two decimals', `${whole}.${decimals.padEnd(2, '0').slice(0, 2)}`],
    ['with three decimals', `${whole}.${decimals.padEnd(3, '0')}`],
    ['in minor units', digits],
    [
      'without zeros at its end, as a number is written',
      value.includes('.') ? value.replace(/(?:\.0+|(?<=[1-9])0+)$/, '') : value,
    ],
    ['with one decimal', `${whole}.${decimals.slice(0, 1) || '0'}`],
    ['with a comma', value.replace('.', ',')],
    ['with thousands apart', withThousands(value)],
  ];
}

/** `1234567.50` as `1,234,567.50`. */
function withThousands(value: string): string {
  const [whole = '', ...decimals] = value.split('.');
  const first = whole.length % 3;
  const groups = [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])];
  return [groups.filter((group) => group !== '').join(','), ...decimals].join('.');
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

function texts(value: string): readonly (readonly [string, string])[] {
  const form = new URLSearchParams({ v: value }).toString().slice(2);
  return [
    ['without the spaces around it', value.trim()],
    ['with a space after it', `${value} `],
    ['with single spaces', value.replace(/\s+/g, ' ')],
    ['escaped for HTML', value.replace(/[&<>"']/g, (each) => escapes[each] ?? each)],
    ['escaped for HTML without its quotes', value.replace(/[&<>"]/g, (each) => escapes[each] ?? each)],
    ['encoded for an address', encodeURIComponent(value)],
    ['encoded as a form', form],
    [
      'as JSON writes it with \\u',
      JSON.stringify(value)
        .slice(1, -1)
        .replace(/[^\0-\x7f]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    ['in composed Unicode (NFC)', value.normalize('NFC')],
    ['in decomposed Unicode (NFD)', value.normalize('NFD')],
    ['without accents', value.normalize('NFD').replace(/\p{M}/gu, '')],
    ['with question marks for other letters', value.replace(/[^\0-\x7f]/gu, '?')],
    ['read as Latin-1', Buffer.from(value, 'utf8').toString('latin1')],
  ];
}

function orders(fields: readonly Field[]): Field[][] {
  if (fields.length <= 1) return [[...fields]];
  return fields.flatMap((first, index) => orders(fields.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

const namesOf = (fields: readonly Field[]) => fields.map(([name]) => name).join(', ');

export const MISTAKES: readonly Mistake[] = [
  {
    name: 'amount-format',
    advice: 'Sign the amount byte for byte as it is sent. Use one text for both, and never format it again.',
    variants: (right) => changed(right, isAmount, amounts),
  },
  {
    name: 'case',
    advice: 'Raise the whole text to upper case, the password with it, before the first digest.',
    variants: (right) => [
      { says: 'without raising the text to upper case', attempt: { ...right, upper: 'none' } },
      { says: 'in lower case', attempt: { ...right, upper: 'lower' } },
      { says: 'with the password added after the upper-casing', attempt: { ...right, upper: 'fields-only' } },
    ],
  },
  {
    name: 'password-whitespace',
    advice: 'Remove the spaces or the line break around the password where it is kept.',
    variants: (right) =>
      [
        right.password.trim(),
        `${right.password}\n`,
        `${right.password}\r\n`,
        `${right.password} `,
        ` ${right.password}`,
      ]
        .filter((password) => password !== right.password)
        .map((password) => ({ says: 'with other white space around the password', attempt: { ...right, password } })),
  },
  {
    name: 'password-missing',
    advice: 'Add the merchant’s password behind the fields.',
    variants: (right) => [{ says: 'without the password', attempt: { ...right, password: '' } }],
  },
  {
    name: 'missing-field',
    advice: 'Sign every field of the formula, also where it seems redundant.',
    variants: (right) =>
      right.fields.map(([name], index) => ({
        says: `without ${name}`,
        attempt: { ...right, fields: right.fields.toSpliced(index, 1) },
      })),
  },
  {
    name: 'field-order',
    advice: 'Put the fields in the order of the formula, the password last.',
    variants: (right) => [
      { says: 'with the password first', attempt: { ...right, passwordFirst: true } },
      ...orders(right.fields)
        .slice(1)
        .map((fields) => ({ says: `in the order ${namesOf(fields)}`, attempt: { ...right, fields } })),
    ],
  },
  {
    name: 'separator',
    advice: 'Put nothing between the fields.',
    variants: (right) =>
      ['|', ' ', ',', ';', ':', '-', '_', '.', '&', '\n', '+', '/'].map((separator) => ({
        says: `with ${JSON.stringify(separator)} between the fields`,
        attempt: { ...right, separator },
      })),
  },
  {
    name: 'text-bytes',
    advice: 'Sign the text as it was before it was escaped or encoded, in UTF-8, and send the same.',
    variants: (right) => [
      ...changed(right, isText, texts),
      { says: 'over Latin-1 bytes instead of UTF-8', attempt: { ...right, bytes: 'latin1' } },
    ],
  },
  {
    name: 'extra-field',
    advice: 'Sign only the fields of the formula.',
    variants: (right, all) =>
      Object.entries(all)
        .filter(([place, value]) => isGiven(value) && !right.fields.some(([name]) => place.endsWith(name)))
        .flatMap(([place, value]) =>
          [0, right.fields.length].map((at) => ({
            says: `with ${place} ${at === 0 ? 'before' : 'after'} the other fields`,
            attempt: { ...right, fields: right.fields.toSpliced(at, 0, [place, value]) },
          })),
        ),
  },
  {
    name: 'currency-form',
    advice: 'Sign the currency as its letters, as you send it.',
    variants: (right) =>
      changed(
        right,
        (name) => name.endsWith('currency'),
        (value) => {
          const number = currencyNumber(value);
          return number === undefined ? [] : [['as its number', number]];
        },
      ),
  },
  {
    name: 'digest',
    advice:
      'The hash is SHA-1 over the lower-case hex text of the inner digest (MD5, or SHA-256 where that was agreed).',
    variants: digestVariants,
  },
];

function digestVariants(right: Attempt): Variant[] {
  const raw = (inner: string, text: Buffer) => createHash(inner).update(text).digest();
  const ways: readonly (readonly [string, NonNullable<Attempt['digests']>])[] = [
    ['with the inner digest alone', (text, inner) => hex(inner, text)],
    ['with SHA-1 alone', (text) => hex('sha1', text)],
    [
      'with SHA-1 over the bytes of the inner digest, not over its hex text',
      (text, inner) => hex('sha1', raw(inner, text)),
    ],
    [
      'with SHA-1 over the inner digest in upper-case hex',
      (text, inner) => hex('sha1', hex(inner, text).toUpperCase()),
    ],
    ['with the inner digest over SHA-1', (text, inner) => hex(inner, hex('sha1', text))],
    ['with the same digest twice', (text, inner) => hex(inner, hex(inner, text))],
    ['as Base64', (text, inner) => createHash('sha1').update(hex(inner, text)).digest('base64')],
    ['as an HMAC with the password', (text, inner) => createHmac(inner, right.password).update(text).digest('hex')],
    ['with SHA-512 inside', (text) => hex('sha1', hex('sha512', text))],
  ];
  return ways.map(([says, digests]) => ({ says, attempt: { ...right, digests } }));
}
