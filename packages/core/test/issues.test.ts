import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { duplicateAnswer, errorAnswer, validationAnswer } from '../src/issues/answers.ts';
import { issue, onePerPath } from '../src/issues/issue.ts';
import { issuesOfZod } from '../src/issues/zod-issues.ts';
import { TEXTS, WRONG_HASH } from '../src/issues/texts.ts';

const MANY = Array.from({ length: 41 }, (_, at) => String(at));

function lines(schema: z.ZodType, input: unknown, prefix = 'p'): string[] {
  const parsed = schema.safeParse(input);
  if (parsed.success) return [];
  return issuesOfZod(parsed.error, { prefix, input }).map(({ path, message }) => `${path}: ${message}`);
}

describe('the answers', () => {
  it('lists every issue of a refused request with its path', () => {
    const many = validationAnswer(Array.from({ length: 2000 }, (_, at) => issue(`items.${at}`, TEXTS.blank))).body
      .errors;
    expect(many).toHaveLength(101);
    expect(many.at(-1)?.error_message).toBe('body: 1900 more problems are not listed.');
    expect(validationAnswer([issue('order.amount', TEXTS.blank), issue('hash', WRONG_HASH)])).toEqual({
      status: 400,
      body: {
        error_code: 0,
        error_message: 'Request data is invalid.',
        errors: [
          { error_code: 100000, error_message: 'order.amount: This value should not be blank.' },
          {
            error_code: 100000,
            error_message: 'hash: Hash is not valid.',
            hint: expect.stringContaining('railyard verify'),
          },
        ],
      },
    });
  });

  it.each([
    ['a choice', 'unit', 'Week', 'One of: day, month.'],
    ['another type', 'unit', 7, 'One of: day, month.'],
    ['an amount as a number', 'amount', 10, 'A decimal in a string, such as "10.00". It was sent as number.'],
    ['an amount in another form', 'amount', '10,00', 'A decimal in a string, such as "10.00".'],
    ['a list', 'text', ['a'], 'It was sent as object.'],
    ['an object', 'text', {}, 'It was sent as object.'],
    ['a day', 'day', '31.1.2030', 'A day as YYYY-MM-DD, such as "2030-01-31".'],
    ['one of many values', 'many', 'x', `One of 41 values, such as ${MANY.slice(0, 40).join(', ')}.`],
    ['a value that is missing', 'unit', null, 'One of: day, month.'],
  ])('hint at the values that a field takes, for %s', (_what, name, value, hint) => {
    const schema = z.object({
      unit: z.enum(['day', 'month'], TEXTS.choice),
      amount: z.string().regex(/^\d+$/, TEXTS.notValid),
      text: z.string(),
      day: z.iso.date(),
      many: z.enum(MANY),
    });
    const input = { unit: 'day', amount: '1', text: '', day: '2030-01-31', many: '0', [name]: value };
    const { error } = schema.safeParse(input);
    const answer = validationAnswer(error === undefined ? [] : issuesOfZod(error, { input }));
    expect(answer.body.errors.map((each) => each.hint)).toEqual([hint]);
  });

  it('answers a duplicate without errors', () => {
    expect(duplicateAnswer()).toEqual({
      status: 400,
      body: { http_code: 400, error_code: '400', error_message: 'Duplicate request.' },
    });
  });

  it('answers any other error with a string code and a request id, and nothing more', () => {
    const error = {
      http_code: 400,
      error_code: '101000',
      error_message: 'Payment does not exist.',
      request_id: 'r-1',
      stack: 'x',
    };
    expect(errorAnswer(error)).toEqual({
      status: 400,
      body: { http_code: 400, error_code: '101000', error_message: 'Payment does not exist.', request_id: 'r-1' },
    });
  });

  it('keeps the first issue of each path', () => {
    expect(onePerPath([issue('a', 'one'), issue('b', 'two'), issue('a', 'three')])).toEqual([
      issue('a', 'one'),
      issue('b', 'two'),
    ]);
  });
});

describe('the texts of a schema', () => {
  it.each([
    ['a missing string', z.object({ a: z.string() }), {}, 'p.a: This value should not be blank.'],
    ['a null', z.object({ a: z.string() }), { a: null }, 'p.a: This value should not be blank.'],
    ['an empty string', z.string().min(1), '', 'p: This value should not be blank.'],
    ['a short string', z.string().min(3), 'ab', 'p: This value is too short. It should have 3 characters or more.'],
    ['a long string', z.string().max(1), 'ab', 'p: This value is too long. It should have 1 character or less.'],
    ['a string of another length', z.string().length(2), 'abc', 'p: This value should have exactly 2 characters.'],
    ['another type', z.string(), 1, 'p: This value should be of type string.'],
    ['a fraction', z.int(), 1.5, 'p: This value should be of type integer.'],
    ['a small number', z.number().min(1), 0, 'p: This value should be greater than or equal to 1.'],
    ['a number that is not above', z.number().positive(), 0, 'p: This value should be greater than 0.'],
    ['a large number', z.number().max(9), 10, 'p: This value should be less than or equal to 9.'],
    ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'p: This collection should contain 1 element or less.'],
    ['a short list', z.array(z.string()).min(2), ['a'], 'p: This collection should contain 2 elements or more.'],
    ['another choice', z.enum(['a', 'b']), 'c', 'p: The value you selected is not a valid choice.'],
    ['another literal', z.literal('a'), 'c', 'p: The value you selected is not a valid choice.'],
    ['a missing choice', z.object({ a: z.enum(['a']) }), {}, 'p.a: This value should not be blank.'],
    ['an e-mail address', z.email(), 'x', 'p: This value is not a valid email address.'],
    ['a date', z.iso.date(), '2026-02-30', 'p: This value is not a valid date.'],
    ['a UUID', z.uuid(), 'x', 'p: This value is not a valid UUID.'],
    ['a URL', z.url(), 'x', 'p: This value is not a valid URL.'],
    ['a pattern', z.string().regex(/^a$/), 'b', 'p: This value is not valid.'],
    ['a rule without a text', z.string().refine(() => false), 'b', 'p: This value is not valid.'],
    [
      'an item of a list',
      z.array(z.object({ n: z.number() })),
      [{ n: 1 }, { n: 'x' }],
      'p.1.n: This value should be of type number.',
    ],
  ])('has one for %s', (_, schema, input, expected) => {
    expect(lines(schema, input)).toEqual([expected]);
  });

  it('lets a text of the schema win', () => {
    expect(lines(z.string({ error: 'own' }), 1)).toEqual(['p: own']);
    expect(lines(z.string().min(3, 'own'), 'a')).toEqual(['p: own']);
    expect(
      lines(
        z.string().refine(() => false, 'own'),
        'a',
      ),
    ).toEqual(['p: own']);
    expect(lines(z.enum(['a'], { error: 'own' }), undefined)).toEqual(['p: own']);
  });

  it('names every key that a strict object does not know', () => {
    expect(lines(z.strictObject({ a: z.string() }), { a: 'x', b: 1, c: 2 })).toEqual([
      'p.b: This field was not expected.',
      'p.c: This field was not expected.',
    ]);
  });

  it('reports within the alternative of a union that was meant', () => {
    expect(lines(z.union([z.string(), z.object({ a: z.number() })]), { a: 'x' })).toEqual([
      'p.a: This value should be of type number.',
    ]);
    expect(lines(z.union([z.string(), z.number()]), true)).toEqual(['p: This value is not valid.']);
  });

  it('calls a wrong or missing discriminator by its own path', () => {
    const schema = z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]);
    expect(lines(schema, { k: 'c' })).toEqual(['p.k: The value you selected is not a valid choice.']);
    expect(lines(schema, {})).toEqual(['p.k: This value should not be blank.']);
  });

  it('reports one text per path', () => {
    expect(lines(z.string().min(5).regex(/^a+$/), 'b')).toHaveLength(1);
  });

  it('needs no prefix', () => {
    expect(lines(z.object({ a: z.string() }), {}, '')).toEqual(['a: This value should not be blank.']);
  });
});
