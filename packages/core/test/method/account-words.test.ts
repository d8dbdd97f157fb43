import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineMethod, field, text } from '../../src/index.ts';
import { createRegistry, describeMethods, jsonSchemaOf, profileOf } from '../../src/registry.ts';
import { lines, request, today } from './support.ts';

/** A method with a word of the account that decides what may be sent. */
const parcel = defineMethod({
  key: 'parcel',
  title: 'Parcel',
  operations: {
    purchase: {
      parameters: z.strictObject({
        services: field(z.array(z.enum(['express', 'gift'])), {
          label: 'Services',
          sources: ['mid'],
          request: false,
        }).optional(),
        card: field(text({ max: 9 }), {
          label: 'Card',
          only: { path: 'parameters.services', in: ['gift'] },
        }).optional(),
        to: field(
          z.strictObject({
            city: text({ max: 9 }).optional(),
            lines: z.array(z.strictObject({ text: z.string().optional() })).optional(),
          }),
          { label: 'To' },
        ).optional(),
      }),
      completion: [],
    },
  },
});
const registry = createRegistry([parcel]);

function answer(own: object, values: Readonly<Record<string, unknown>>, required: readonly string[] = []) {
  const profile = { methods: { parcel: profileOf(parcel, { values, required }) } };
  return lines(registry.validate(request({ methods: ['parcel'], parameters: { parcel: own } }), { today, profile }));
}

const BLANK = 'This value should not be blank.';
const UNEXPECTED = 'This field was not expected.';

describe('a word of the account', () => {
  test('decides what a request may carry, and stands in the profile for it', () => {
    expect(profileOf(parcel, { values: { services: ['gift'] } }).values).toEqual({ services: ['gift'] });
    expect(answer({ card: 'Hello' }, { services: ['express', 'gift'] })).toEqual([]);
    expect(answer({ card: 'Hello' }, { services: ['express'] })).toEqual([`parameters.parcel.card: ${UNEXPECTED}`]);
    expect(answer({ card: 'Hello' }, {})).toEqual([`parameters.parcel.card: ${UNEXPECTED}`]);
  });

  test('is refused in a request, and stands in no schema for requests', () => {
    expect(answer({ services: ['gift'] }, {})).toEqual([`parameters.parcel.services: ${UNEXPECTED}`]);
    expect(Object.keys(jsonSchemaOf(registry, 'parcel', 'purchase').properties ?? {})).toEqual(['card', 'to']);
  });
});

describe('what an account requires within a parameter', () => {
  test.for<[string, object, readonly string[], readonly string[]]>([
    ['is there', { to: { city: 'Rio' } }, ['to.city'], []],
    ['is missing', { to: {} }, ['to.city'], ['to.city']],
    ['is blank without the parameter too', {}, ['to.city'], ['to.city']],
    ['is missing in one element', { to: { lines: [{ text: 'a' }, {}] } }, ['to.lines.text'], ['to.lines.1.text']],
    ['is asked of no element where there is none', { to: { lines: [] } }, ['to.lines.text'], []],
    ['is a list that is missing', { to: {} }, ['to.lines'], ['to.lines']],
  ])('%s', ([_what, own, required, places]) => {
    expect(answer(own, {}, required)).toEqual(places.map((place) => `parameters.parcel.${place}: ${BLANK}`));
  });

  test('is reported beside what is wrong there', () => {
    expect(answer({ to: { city: '1234567890' } }, {}, ['to.city', 'to.lines'])).toEqual([
      'parameters.parcel.to.city: This value is too long. It should have 9 characters or less.',
      `parameters.parcel.to.lines: ${BLANK}`,
    ]);
  });
});

test('a description goes into objects and lists', () => {
  const [description] = describeMethods(registry);
  expect(description?.operations[0]?.parameters.map(({ name }) => name)).toEqual([
    'services',
    'card',
    'to',
    'to.city',
    'to.lines',
    'to.lines.text',
  ]);
});
