import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineMethod, field } from '../../src/index.ts';
import { createRegistry, describeMethods } from '../../src/registry.ts';
import { regional, voucher } from './support.ts';

test('a method describes every field, rule and limit', () => {
  const [description] = describeMethods(createRegistry([voucher]));
  expect(description).toEqual({
    key: 'voucher',
    title: 'Voucher',
    currencies: ['USD', 'EUR'],
    countries: [],
    limits: voucher.limits,
    operations: [
      {
        operation: 'purchase',
        completion: ['voucher'],
        parameters: [
          { name: 'store', label: 'Store', type: '`north`, `south`', required: true, sources: [] },
          { name: 'branch', label: 'Branch', type: 'string', required: true, sources: ['mid'] },
          { name: 'document', label: 'Document', type: 'string', required: true, sources: ['mid', 'payer'] },
          { name: 'language', label: 'Language', type: '`en`, `pt`', required: true, sources: ['payer', 'default'] },
          { name: 'kind', label: 'Kind', type: '`once`, `often`', required: false, sources: ['mid'] },
          {
            name: 'times',
            label: 'Times',
            type: 'string',
            required: true,
            sources: ['mid'],
            when: 'parameters.kind is often',
            help: 'How often it may be paid.',
          },
          { name: 'note', label: 'Note', type: 'string 1-10', required: false, sources: [] },
        ],
        needs: [{ name: 'customer.email', label: 'E-mail', type: 'string email', required: true, sources: ['payer'] }],
        rules: ['Branches of the north begin with 1.', 'The last digit of the document is even.'],
      },
    ],
  });
});

test('every variant describes its own parameters', () => {
  const [description] = describeMethods(createRegistry([regional]));
  expect(description?.operations[0]?.parameters.map(({ name, variant }) => [name, variant])).toEqual([
    ['cpf', 'BR'],
    ['curp', 'MX'],
  ]);
});

test.for<[string, z.ZodType]>([
  ['`BR`', z.literal('BR')],
  ['`1`, `2`', z.literal([1, 2])],
  ['string max 3', z.string().max(3)],
  ['string min 3', z.string().min(3)],
  ['string of 4', z.string().length(4)],
  ['string uri', z.url()],
  ['boolean', z.boolean().default(false)],
  ['integer', z.int()],
  ['string or null', z.string().nullable()],
  ['boolean or `Y`, `N`', z.union([z.boolean(), z.enum(['Y', 'N'])])],
  ['array of string', z.array(z.string())],
  ['object', z.strictObject({})],
  ['value', z.custom<string>(() => true)],
])('a type reads %s', ([words, schema]) => {
  const method = defineMethod({
    key: 'm',
    title: 'M',
    operations: { purchase: { parameters: z.strictObject({ a: field(schema, { label: 'A' }) }), completion: [] } },
  });
  expect(describeMethods(createRegistry([method]))[0]?.operations[0]?.parameters[0]?.type).toBe(words);
});

test('an object that is made when it is first read describes its fields, and one that holds itself does so once', () => {
  const category: z.ZodType = z.lazy(() => z.strictObject({ name: z.string(), parent: category.optional() }));
  const item = z.lazy(() => z.strictObject({ price: z.string(), category }));
  const method = defineMethod({
    key: 'm',
    title: 'M',
    operations: { purchase: { parameters: z.strictObject({ item: field(item, { label: 'Item' }) }), completion: [] } },
  });
  const [description] = describeMethods(createRegistry([method]));
  expect(description?.operations[0]?.parameters.map(({ name }) => name)).toEqual([
    'item',
    'item.price',
    'item.category',
    'item.category.name',
    'item.category.parent',
  ]);
});
