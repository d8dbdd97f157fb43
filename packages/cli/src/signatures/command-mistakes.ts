import { backwards, hex, rightAttempt } from './attempt.ts';
import { ALL_FIELDS, CALLBACK_MISTAKES } from './callback-fields.ts';
import { type AnyFormula, isOneDigest } from './formula.ts';
import { type Mistake, MISTAKES } from './mistakes.ts';

/** Mistakes that only commands have, or with other advice for them (1-core-protocol.md, Authentication, 3). */
const OF_COMMANDS: readonly Mistake[] = [
  {
    name: 'other-formula',
    advice:
      'Turn the joined fields round, raise them to upper case, put the password behind them, and take one digest.',
    variants: ({ fields, password }) => [
      { says: 'as requests of the hosted checkout are signed', attempt: rightAttempt(fields, password) },
    ],
  },
  {
    name: 'not-reversed',
    advice: 'Join the fields and reverse the whole text. Then append the password, not reversed.',
    variants: (right) => [
      { says: 'without turning the text round', attempt: { ...right, normalise: (text) => text } },
      {
        says: 'with each field turned round by itself',
        attempt: {
          ...right,
          normalise: (text) => text,
          fields: right.fields.map(([name, value]) => [name, backwards(value)]),
        },
      },
      { says: 'with the password turned round too', attempt: { ...right, password: backwards(right.password) } },
    ],
  },
  {
    name: 'case',
    advice: 'Upper-case the fields, but not the password.',
    variants: (right) => [
      { says: 'without raising the text to upper case', attempt: { ...right, upper: 'none' } },
      { says: 'with the password in upper case too', attempt: { ...right, upper: 'dialect' } },
      { says: 'in lower case', attempt: { ...right, upper: 'lower' } },
    ],
  },
  {
    name: 'digest',
    advice:
      'The hash of a command is one digest of the text in hexadecimal digits: MD5, or SHA-256 where that was agreed.',
    variants: (right) => [
      { says: 'with SHA-1 over the digest', attempt: { ...right, digests: undefined } },
      { says: 'with SHA-1 alone', attempt: { ...right, digests: (text) => hex('sha1', text) } },
      {
        says: 'with the same digest twice',
        attempt: { ...right, digests: (text, inner) => hex(inner, hex(inner, text)) },
      },
      {
        says: 'as Base64',
        attempt: { ...right, digests: (text, inner) => Buffer.from(hex(inner, text), 'hex').toString('base64') },
      },
    ],
  },
];

const NAMES = new Set(OF_COMMANDS.map(({ name }) => name));
const BY_COMMANDS: readonly Mistake[] = [...OF_COMMANDS, ...MISTAKES.filter(({ name }) => !NAMES.has(name))];

/** The typical mistakes behind a hash that does not match. */
export function mistakesOf(formula: AnyFormula): readonly Mistake[] {
  if (formula === ALL_FIELDS) return CALLBACK_MISTAKES;
  return isOneDigest(formula) ? BY_COMMANDS : MISTAKES;
}
