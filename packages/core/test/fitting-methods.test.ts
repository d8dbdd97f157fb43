import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Issue, issue } from '../src/issues/issue.ts';
import { defineMethod } from '../src/method/define-method.ts';
import { limitsTable } from '../src/method/limits.ts';
import { createRegistry } from '../src/method/registry.ts';

const none = { parameters: z.strictObject({}), completion: [] } as const;
const plain = defineMethod({ key: 'plain', title: 'Plain', operations: { purchase: none } });
const second = defineMethod({ key: 'second', title: 'Second', operations: { purchase: none } });
const reais = defineMethod({ key: 'reais', title: 'Reais', operations: { purchase: none }, currencies: ['BRL'] });
const brazil = defineMethod({ key: 'brazil', title: 'Brazil', operations: { purchase: none }, countries: ['BR'] });
const payout = defineMethod({ key: 'payout', title: 'Payout', operations: { credit: none } });
const small = defineMethod({
  key: 'small',
  title: 'Small',
  operations: { purchase: none },
  limits: limitsTable('Invented.', [{ currency: 'USD', max: '5' }]),
});
const document = defineMethod({
  key: 'document',
  title: 'Document',
  operations: {
    purchase: { parameters: z.strictObject({ number: z.string().regex(/^\d+$/) }), completion: [] },
  },
});

const profile = {
  methods: Object.fromEntries(
    ['plain', 'second', 'reais', 'brazil', 'payout', 'small', 'document'].map((method) => [
      method,
      { method, channels: method === 'reais' ? [] : ['web'] },
    ]),
  ),
  channels: ['web'],
};

const order = { number: 'order-1', amount: '10.00', currency: 'USD', description: 'Tea' };
const request = (methods: readonly string[], more: object = {}) => ({
  merchant_key: 'key',
  operation: 'purchase',
  success_url: 'https://shop.example/done',
  hash: 'f'.repeat(40),
  order,
  methods,
  billing_address: { country: 'DE' },
  ...more,
});

describe('a request that names several methods', () => {
  const registry = createRegistry([plain, second, reais, brazil, payout, small, document]);
  const check = (input: object, unfit: ReadonlyMap<string, readonly Issue[]> = new Map()) => {
    const found = registry.validate(input, { today: '2026-11-21', profile, unfit });
    const say = ({ path, message }: { path: string; message: string }) => `${path}: ${message}`;
    return found.ok ? { warned: found.warnings.map(say) } : { refused: found.issues.map(say) };
  };

  it.each([
    ['reais', 'order.currency: The value you selected is not a valid choice.', {}],
    ['brazil', 'billing_address.country: The value you selected is not a valid choice.', {}],
    ['payout', 'methods: The value you selected is not a valid choice.', {}],
    ['small', 'order.amount: This value should be less than or equal to 5.', {}],
    ['document', 'parameters.document.number: This value should not be blank.', {}],
    ['reais', 'methods: The value you selected is not a valid choice.', { channel_id: 'web' }],
  ])('is taken where one fits, and a warning says why %s is not shown: %s', (key, why, more) => {
    expect(check(request(['plain', key], more))).toEqual({ warned: [`methods: ${key} is not shown. ${why}`] });
  });

  it('is refused where none fits, with the reason of each', () => {
    expect(check(request(['reais', 'small']))).toEqual({
      refused: [
        'order.amount: This value should be less than or equal to 5.',
        'order.currency: The value you selected is not a valid choice.',
      ],
    });
  });

  it('leaves out a method that the caller found unfit, and is refused where it is the only one', () => {
    const unfit = new Map([['plain', [issue('billing_address.phone', 'Unread.')]]]);
    const refused = { refused: ['billing_address.phone: Unread.'] };
    expect(check(request(['plain', 'second']), unfit)).toEqual({
      warned: ['methods: plain is not shown. billing_address.phone: Unread.'],
    });
    expect(check(request(['plain']), unfit)).toEqual(refused);
    const { methods: _none, ...unnamed } = request([]);
    const all = new Map(Object.keys(profile.methods).map((key) => [key, [issue('billing_address.phone', 'Unread.')]]));
    expect(check(unnamed, all)).toEqual({ refused: [expect.stringContaining('methods: ')] });
    expect(check(unnamed, unfit)).toEqual({ warned: [] });
  });

  it('is refused for a wrong value and for a key that is not known, whatever else fits', () => {
    const wrong = { parameters: { document: { number: 'abc' } } };
    expect(check(request(['plain', 'document'], wrong))).toEqual({
      refused: ['parameters.document.number: This value is not valid.'],
    });
    const odd = { parameters: { reais: { odd: 1 } } };
    expect(check(request(['plain', 'reais'], odd))).toEqual({
      refused: [
        'order.currency: The value you selected is not a valid choice.',
        'parameters.reais.odd: This field was not expected.',
      ],
    });
    expect(check(request(['plain', 'nobody']))).toEqual({
      refused: ['methods: The value you selected is not a valid choice.'],
    });
  });
});
