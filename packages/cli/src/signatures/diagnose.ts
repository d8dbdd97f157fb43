import { upperCaseDialects } from '@railyard/core/protocol';
import { type Attempt, backwards, hashOf, hex, MASK, rightAttempt, signedText } from './attempt.ts';
import { mistakesOf } from './command-mistakes.ts';
import { attemptBy, formulaText, FORMULAS, signedBy } from './formula.ts';
import type { Message } from './message.ts';

/** The probable mistake behind a wrong hash. */
export interface Diagnosis {
  /** Of the mistakes, one or two of them. */
  readonly mistakes: readonly string[];
  readonly says: string;
  readonly advice: string;
  /** The hashed text, the password masked. */
  readonly hashed: string;
}

/**
 * Looks for the mistake that leads to a hash: other formulas, each typical one alone, and two of them together.
 *
 */
export function diagnose(message: Message, password: string): Diagnosis | undefined {
  const given = message.given ?? '';
  const right = attemptBy(message.formula, message.fields, password);
  return (
    strayText(given, right) ??
    firstMatch(given, otherFormulas(message, password)) ??
    firstMatch(given, single(right, message)) ??
    firstMatch(given, double(right, message))
  );
}

interface Suspect {
  readonly mistakes: readonly string[];
  readonly says: string;
  readonly advice: string;
  readonly attempt: Attempt;
}

/** The hash itself is right and was spoiled on its way. */
function strayText(given: string, right: Attempt): Diagnosis | undefined {
  const clean = given
    .trim()
    .replace(/^(sha1|md5|0x)[:=]?/i, '')
    .replace(/^"|"$/g, '');
  if (clean === given) return undefined;
  const suspect = {
    mistakes: ['stray-text'],
    says: 'as it should be, but white space, quotes or a prefix stand around it',
    advice: 'Send the hexadecimal digits alone.',
    attempt: right,
  };
  return firstMatch(clean, [suspect]);
}

function firstMatch(given: string, suspects: Iterable<Suspect>): Diagnosis | undefined {
  for (const { mistakes, says, advice, attempt } of suspects)
    for (const inner of ['md5', 'sha256'] as const)
      for (const dialect of upperCaseDialects) {
        const made = hashOf(attempt, inner, dialect);
        if (made !== given && made !== given.toLowerCase()) continue;
        return { mistakes, says, advice, hashed: signedText(attempt, dialect, attempt.password === '' ? '' : MASK) };
      }
  return undefined;
}

function single(right: Attempt, { all, formula }: Message): Suspect[] {
  return mistakesOf(formula).flatMap(({ name, advice, variants }) =>
    variants(right, all).map(({ says, attempt }) => ({ mistakes: [name], says, advice, attempt })),
  );
}

/** The message was signed as another kind of message is. */
function otherFormulas({ formula, all, fields }: Message, password: string): Suspect[] {
  const known: Record<string, string> = { ...all, ...Object.fromEntries(fields) };
  const advice = `Sign it by the formula ${formula}: ${formulaText(formula)}.`;
  const others = FORMULAS.flatMap((name): Suspect[] => {
    const names = signedBy(name);
    if (name === formula || names.some((each) => known[each] === undefined)) return [];
    const values = names.map((each) => [each, known[each] ?? ''] as const);
    const attempt = attemptBy(name, values, password);
    return [{ mistakes: ['other-formula'], says: `by the formula ${name}`, advice, attempt }];
  });
  // Other commands of the protocol sign the reversed id alone (1-core-protocol.md, Authentication, 3).
  const reversed = Object.entries(known).flatMap(([name, value]): Suspect[] =>
    /(^|_)id$/.test(name)
      ? [
          {
            mistakes: ['other-formula'],
            says: `over ${name} backwards, as server-to-server commands are signed`,
            advice,
            attempt: {
              ...rightAttempt([[name, backwards(value)]], password),
              digests: (text, inner) => (inner === 'md5' ? hex('md5', text) : ''),
            },
          },
        ]
      : [],
  );
  return [...others, ...reversed];
}

/** Two mistakes at once, as they are often made: none of them twice. */
function* double(right: Attempt, { all, formula }: Message): Generator<Suspect> {
  const mistakes = mistakesOf(formula);
  for (const [index, first] of mistakes.entries())
    for (const one of first.variants(right, all))
      for (const second of mistakes.slice(index + 1))
        for (const other of second.variants(one.attempt, all))
          yield {
            mistakes: [first.name, second.name],
            says: `${one.says} and ${other.says}`,
            advice: `${first.advice} ${second.advice}`,
            attempt: other.attempt,
          };
}
