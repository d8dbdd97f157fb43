import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineMethod } from '../../src/index.ts';
import { requiredIssues } from '../../src/registry.ts';

const method = defineMethod({
  key: 'cart-pay',
  title: 'Cart pay',
  operations: {
    purchase: {
      parameters: z.strictObject({
        note: z.string().optional(),
        cart: z
          .lazy(() => z.strictObject({ items: z.array(z.strictObject({ name: z.string().optional() })) }))
          .optional(),
      }),
      needs: { 'customer.email': z.email().optional() },
      completion: [],
    },
    debit: { parameters: z.strictObject({ iban: z.string().optional() }), completion: [] },
  },
});

test.each(['note', 'iban', 'customer.email', 'cart', 'cart.items', 'cart.items.name'])('requires %s', (path) => {
  expect(requiredIssues(method, [path])).toEqual([]);
});

test.each([
  'customer.name',
  'order.description',
  'note.text',
  'cart.item',
  'cart.items.price',
  'cart.items.name.x',
  '',
])('refuses to require %s, which changes nothing', (path) => {
  expect(requiredIssues(method, ['note', path])).toEqual([
    expect.objectContaining({
      path: '1',
      message: `"${path}" is neither a parameter of "cart-pay" nor a session field it uses. Use one of note, cart, customer.email, iban.`,
    }),
  ]);
});

test('says so where a method takes nothing that could be required', () => {
  const bare = defineMethod({
    key: 'bare',
    title: 'Bare',
    operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
  });
  expect(requiredIssues(bare, ['note'])[0]?.message).toBe(
    '"note" is neither a parameter of "bare" nor a session field it uses. It takes none: leave the list out.',
  );
});
