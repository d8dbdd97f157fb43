import { braces, brackets, type Doc, fieldName, laidOut, quoted, valueBelow } from './layout.ts';
import { type FreeNames, pascal } from './names.ts';
import type { Questions } from './questions.ts';
import { NoSample, type Sample } from './sample.ts';

/** Writes samples, each as a constant. */
export class SampleWriter {
  readonly #names: FreeNames;
  readonly #questions: Questions;
  readonly #written = new Map<string, string>();
  readonly declarations: string[] = [];

  constructor(names: FreeNames, questions: Questions) {
    this.#names = names;
    this.#questions = questions;
  }

  /** The name of the constant of a sample; the same value is written once. @param other a longer name, if the first is taken */
  take(wanted: string, value: Sample, other = wanted): string {
    const doc = valueDoc(value, this.#questions);
    const text = laidOut(doc);
    const known = this.#written.get(text);
    if (known !== undefined) return known;
    const name = this.#names.take(`sample${pascal(wanted)}`, `sample${pascal(other)}`);
    this.#written.set(text, name);
    this.declarations.push(laidOut([`export const ${name} = `, doc, ';']));
    return name;
  }
}

/** A value as it is written; a person makes the parts that are lacking. */
export function valueDoc(value: Sample, questions: Questions): Doc {
  if (value instanceof NoSample) return questions.value(value.question);
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (isList(value)) {
    const isOfObjects = value.length > 1 && value.every((each) => typeof each === 'object' && each !== null);
    return brackets(
      value.map((each) => valueDoc(each, questions)),
      isOfObjects,
    );
  }
  return braces(
    Object.entries(value).map(([name, each]) => {
      const doc = valueDoc(each, questions);
      return typeof each === 'string' ? valueBelow(`${fieldName(name)}:`, doc) : [`${fieldName(name)}: `, doc];
    }),
  );
}

const isList = (value: Sample): value is readonly Sample[] => Array.isArray(value);
