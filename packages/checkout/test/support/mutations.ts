import * as fc from '../../../../test/support/properties.ts';

/** Pieces that mean something to a parser, a database, a page or a log. */
const PIECES = [
  '"',
  '\\',
  '\u0000',
  '\\u0000',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'null',
  'true',
  '-',
  '.',
  'e',
  '0',
  '1e999',
  '-0',
  '"__proto__":',
  '"constructor":',
  '{"a":',
  '[[[[',
  '\u202e',
  '\uffff',
  '\ufeff',
  'ß',
  'İ',
  '\r\n',
  '\u001b[31m',
  '<script>',
  "'--",
  '%00',
  '${x}',
];

type Mutation = (text: string) => string;

const place = fc.double({ min: 0, max: 1, noNaN: true });
const at = (text: string, where: number) => Math.floor(where * text.length);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.constantFrom(...PIECES)).map(([where, piece]) => (text: string) => {
    const from = at(text, where);
    return text.slice(0, from) + piece + text.slice(from);
  }),
  fc.tuple(place, fc.nat(40)).map(([where, length]) => (text: string) => {
    const from = at(text, where);
    return text.slice(0, from) + text.slice(from + length);
  }),
  fc.tuple(place, place, fc.nat(60)).map(([where, to, length]) => (text: string) => {
    const piece = text.slice(at(text, where), at(text, where) + length);
    const into = at(text, to);
    return text.slice(0, into) + piece + text.slice(into);
  }),
  fc.tuple(place, fc.jsonValue({ maxDepth: 3 })).map(
    ([where, value]) =>
      (text: string) =>
        replaceValue(text, where, value),
  ),
);

/** Another value in the place of one of the values of a JSON text. */
function replaceValue(text: string, where: number, value: unknown): string {
  const values = [...text.matchAll(/"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d[\d.eE+-]*|true|false|null/g)];
  const chosen = values[Math.floor(where * values.length)];
  if (chosen === undefined) return text;
  return text.slice(0, chosen.index) + JSON.stringify(value) + text.slice(chosen.index + chosen[0].length);
}

/** Texts of the corpus, each changed in one to four places. */
export const mutatedTexts = (corpus: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...corpus), fc.array(mutation, { minLength: 1, maxLength: 4 }))
    .map(([text, mutations]) => mutations.reduce((mutated, mutate) => mutate(mutated), text));
