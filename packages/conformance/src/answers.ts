import { readFile } from 'node:fs/promises';
import type { ConformanceOptions } from './types.ts';

/** The twelve questions, by the title under which the page of answers has them. */
export const QUESTIONS = [
  'Unit of amounts',
  'Idempotency key',
  'Look-up after a lost reply',
  'Final words',
  'Words of refunds, captures and disputes',
  '409, 429 and server errors',
  'Signature of webhooks',
  'Address of webhooks',
  'Acknowledgement of webhooks',
  'Retries of webhooks',
  'Mark of test payments',
  'Expiry and time zone',
] as const;

export type Question = (typeof QUESTIONS)[number];

/** The value of a question that no person has looked up yet. */
export const UNDECIDED = 'undecided';
/** The value of a question on which the named source is silent. It asks for no quotation. */
export const NOT_DOCUMENTED = 'not documented';

export interface Answer {
  /** The lines `- name: value`, in lower case. */
  readonly values: ReadonlyMap<string, string>;
  /** The sentence of the documentation, and its place. */
  readonly quotation: string;
  readonly source: string;
}

export type Answers = ReadonlyMap<Question, Answer>;

const isQuestion = (title: string): title is Question => QUESTIONS.some((each) => each === title);

/**
 * Reads a page of answers: under each title lines `- name: value`, the documentation's sentence behind `>`, and `Source: …`.
 *
 * @throws Error for a title that is no question, or that stands there twice
 */
export function answersIn(page: string): Answers {
  const answers = new Map<Question, Answer>();
  for (const section of page.split(/^## /m).slice(1)) {
    const [title = '', ...lines] = section.split('\n').map((line) => line.trim());
    if (!isQuestion(title) || answers.has(title))
      throw new Error(
        `The page of answers has ${isQuestion(title) ? 'twice' : 'an unknown title'} "${title}". Its titles are: ${QUESTIONS.join('; ')}.`,
      );
    const pairs = lines.flatMap((line) => {
      const [, name, value] = /^- ([^:]+): (.+)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value] as const];
    });
    const after = (mark: RegExp) =>
      lines.flatMap((line) => (mark.test(line) ? [line.replace(mark, '')] : [])).join(' ');
    answers.set(title, { values: new Map(pairs), quotation: after(/^> /), source: after(/^Source: /) });
  }
  return answers;
}

/** The answers that were given to the kit. */
export async function answersOf({ answers }: ConformanceOptions): Promise<Answers | undefined> {
  return answers === undefined ? undefined : answersIn(await readFile(answers, 'utf8'));
}
