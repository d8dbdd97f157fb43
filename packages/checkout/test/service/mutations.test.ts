import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOperations, materialise, sessionInputs } from '../../../core/test/support/bad-inputs.ts';
import { anyMethodService, postRaw } from '../support/any-method-service.ts';
import { sessionBody } from '../support/service.ts';

/** `npm run test:soak` asks for more. */
const RUNS = Number(process.env.RAILYARD_SOAK ?? 300);
const SECONDS_EACH = 0.5;

let service: Awaited<ReturnType<typeof anyMethodService>>;

beforeAll(async () => {
  service = await anyMethodService();
}, 60_000);

afterAll(() => service.stop());

/** The list of bad inputs and a good one, as texts of at most a few kilobytes. */
const corpus = [
  JSON.stringify(sessionBody({ methods: ['card'] }, { currency: 'USD' })),
  ...sessionInputs
    .filter(({ patch }) => patch.every(({ op }) => bodyOperations.has(op)))
    .map(materialise)
    .filter((text) => text.length < 20_000),
];

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

const request = fc
  .tuple(fc.constantFrom(...corpus), fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([text, mutations]) => mutations.reduce((mutated, mutate) => mutate(mutated), text));

test(
  `${RUNS} requests at random around the list of bad inputs are answered, none with 5xx, and a good one after them`,
  { timeout: 60_000 + RUNS * SECONDS_EACH * 1000 },
  async () => {
    const good = async () => {
      const body = sessionBody({ methods: ['card'] }, { currency: 'USD' });
      return (await postRaw(`${service.url}/api/v1/session`, JSON.stringify(body))).status;
    };
    await fc.assert(
      fc.asyncProperty(request, fc.constantFrom('session', 'payment/status', 'payment/refund'), async (text, path) => {
        const answer = await postRaw(`${service.url}/api/v1/${path}`, text);
        expect([200, 400, 413]).toContain(answer.status);
        if (answer.status !== 200)
          expect(answer.json).toMatchObject({ http_code: answer.status, request_id: expect.any(String) });
      }),
      { numRuns: RUNS },
    );
    expect(await good()).toBe(200);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(service.lines.filter((line) => line.includes('request-failed'))).toEqual([]);
  },
);
