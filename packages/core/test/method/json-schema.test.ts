import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineMethod, field, flag, text, wholeNumber } from '../../src/index.ts';
import { createRegistry, jsonSchemaOf } from '../../src/registry.ts';
import { north, regional, request, today, voucher } from './support.ts';

const registry = createRegistry([voucher, regional]);

describe('the JSON Schema of a method', () => {
  test('is what a merchant may send, in keywords that every validator knows', () => {
    expect(jsonSchemaOf(registry, 'voucher', 'purchase')).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        store: { title: 'Store', type: 'string', enum: ['north', 'south'] },
        branch: { title: 'Branch', type: 'string', pattern: '^\\d{4}$' },
        document: { title: 'Document', type: 'string', pattern: '^\\d{6}$' },
        language: { title: 'Language', type: 'string', enum: ['en', 'pt'] },
        kind: { title: 'Kind', type: 'string', enum: ['once', 'often'], default: 'once' },
        times: {
          title: 'Times',
          description: 'How often it may be paid.',
          examples: ['3'],
          type: 'string',
          pattern: '^[1-9]$',
        },
        note: { title: 'Note', type: 'string', minLength: 1, maxLength: 10 },
      },
      required: ['store'],
      additionalProperties: false,
    });
  });

  test('has one alternative per variant', () => {
    const schema = jsonSchemaOf(registry, 'regional', 'purchase');
    expect(schema.anyOf?.map((each) => typeof each === 'object' && [each.title, each.required])).toEqual([
      ['billing_address.country is BR', undefined],
      ['billing_address.country is MX', ['curp']],
    ]);
    expect(JSON.stringify(schema).match(/"\$schema"/g)).toHaveLength(1);
  });

  test.for([
    ['gone', 'purchase'],
    ['voucher', 'credit'],
    ['constructor', 'purchase'],
  ] as const)('of %s for %s is refused', ([key, operation]) => {
    expect(() => jsonSchemaOf(registry, key, operation)).toThrow(
      `No method "${key}" with the operation "${operation}"`,
    );
  });
});

describe('a JSON Schema validator', () => {
  const odd = defineMethod({
    key: 'odd',
    title: 'Odd',
    operations: {
      purchase: {
        parameters: z.strictObject({
          agreed: flag().optional(),
          months: wholeNumber(1, 12).optional(),
          name: text({ max: 3 }).optional(),
          items: z
            .array(z.strictObject({ id: z.string() }))
            .max(2)
            .optional(),
          free: z.custom<object>((value) => typeof value === 'object').optional(),
          only: z
            .string()
            .transform((value) => value.length)
            .optional(),
          late: field(z.string(), { label: 'Late', when: { path: 'parameters.agreed', present: true } }),
        }),
        completion: [],
      },
    },
  });
  const all = createRegistry([voucher, odd]);
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  const accepts = {
    voucher: ajv.compile(jsonSchemaOf(all, 'voucher', 'purchase')),
    odd: ajv.compile(jsonSchemaOf(all, 'odd', 'purchase')),
  };
  const validates = (key: 'voucher' | 'odd', own: unknown) =>
    all.validate(request({ methods: [key], parameters: { [key]: own } }), {
      today,
      profile: { methods: { [key]: { method: key, supplied: ['branch'] } } },
    }).ok;

  test.for<[boolean, 'voucher' | 'odd', unknown]>([
    [true, 'voucher', north],
    [true, 'voucher', { store: 'south' }],
    [false, 'voucher', {}],
    [false, 'voucher', { store: 'east' }],
    [false, 'voucher', { ...north, colour: 'red' }],
    [false, 'voucher', { ...north, branch: '12345' }],
    [false, 'voucher', { ...north, note: 'much too long' }],
    [false, 'voucher', { ...north, note: '' }],
    [false, 'voucher', { ...north, note: null }],
    [true, 'odd', {}],
    [true, 'odd', { name: '🎟🎟🎟' }],
    [false, 'odd', { name: '🎟🎟🎟🎟' }],
    [true, 'odd', { agreed: 'Y', late: 'x', months: '7', items: [{ id: '1' }], free: {}, only: 'a' }],
    [false, 'odd', { agreed: 'maybe', late: 'x' }],
    [false, 'odd', { items: [{ id: '1' }, {}] }],
    [false, 'odd', { items: [{ id: '1' }, { id: '2' }, { id: '3' }] }],
    [false, 'odd', { only: 7 }],
    [false, 'odd', []],
    [false, 'odd', 'text'],
  ])('says %s, as validation does, of %s %j', ([expected, key, own]) => {
    expect([accepts[key](own), validates(key, own)]).toEqual([expected, expected]);
  });

  test.for<['voucher' | 'odd', unknown]>([
    ['voucher', { ...north, branch: '2001' }],
    ['voucher', { ...north, kind: 'often' }],
    ['odd', { months: 13 }],
    ['odd', { agreed: true }],
  ])('is never stricter: rules and conditions are left to validation, for %s %j', ([key, own]) => {
    expect([accepts[key](own), validates(key, own)]).toEqual([true, false]);
  });
});
