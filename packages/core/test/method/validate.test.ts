import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineMethod } from '../../src/index.ts';
import { createRegistry, type Profile, profileSchema } from '../../src/registry.ts';
import { lines, north, regional, request, today, voucher } from './support.ts';

const registry = createRegistry([voucher, regional]);
const check = (changes: Record<string, unknown>, profile?: Profile) =>
  registry.validate(request(changes), { today, ...(profile && { profile }) });
const said = (changes: Record<string, unknown>, profile?: Profile) => lines(check(changes, profile));
const asked = (parameters: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  methods: ['voucher'],
  parameters: { voucher: parameters },
  ...more,
});
const one = (entry: Partial<Profile['methods'][string]>): Profile => ({
  methods: { voucher: { method: 'voucher', ...entry } },
});

describe('a registry', () => {
  test('takes the same definition twice', () => {
    expect(createRegistry([voucher, voucher]).methods).toEqual([voucher]);
  });

  test('refuses two definitions of one key', () => {
    const copy = defineMethod({ ...voucher });
    expect(() => createRegistry([voucher, copy])).toThrow('Two definitions of the method key "voucher"');
  });

  test.for(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'Voucher', ''])('does not know %j', (key) => {
    expect(registry.find(key)).toBeUndefined();
    expect(registry.find(key, { methods: {} })).toBeUndefined();
  });

  test('knows no method that the profile does not name', () => {
    expect(registry.find('voucher', { methods: {} })).toBeUndefined();
  });

  test('finds the method behind an alias, and nothing behind an alias of nothing', () => {
    const profile: Profile = { methods: { corner: { method: 'voucher' }, gone: { method: 'missing' } } };
    expect(registry.find('corner', profile)).toBe(voucher);
    expect(registry.find('gone', profile)).toBeUndefined();
  });
});

describe('validation', () => {
  test('accepts what every method accepts, and gives the session', () => {
    const checked = check(asked({ ...north, note: 'x' }));
    expect(checked).toMatchObject({ ok: true, warnings: [], session: { parameters: { voucher: north } } });
  });

  test('reports all issues at once: the request’s own and those of every method, in the order of the tables', () => {
    const found = said({
      success_url: 'nowhere',
      order: { number: 'order-1001', amount: '5', currency: 'USD', description: 'x' },
      customer: { email: 'a@b' },
      methods: ['voucher', 'gone'],
      parameters: { voucher: { ...north, times: '0', colour: 'red' }, other: {} },
    });
    expect(found).toEqual([
      'success_url: This value is not a valid URL.',
      'order.amount: This value should be greater than or equal to 10.',
      'order.description: This value is too short. It should have 2 characters or more.',
      'customer.email: This value is not a valid email address.',
      'parameters.voucher.colour: This field was not expected.',
      'parameters.voucher.times: This value is not valid.',
      'parameters.other: This field was not expected.',
      'methods: The value you selected is not a valid choice.',
    ]);
  });

  test('names a field once, though a method misses it too', () => {
    const blocks = { customer: 'Ann', billing_address: [], order: { currency: 'usd', amount: 'x' } };
    expect(
      said({ ...blocks, methods: ['voucher', 'regional'], parameters: { voucher: north, regional: 'x' } }),
    ).toEqual([
      'order.number: This value should not be blank.',
      'order.currency: This value is not valid.',
      'order.description: This value should not be blank.',
      'customer: This value should be of type object.',
      'billing_address: This value should be of type object.',
      'parameters.regional: This value should be of type object.',
    ]);
  });

  test.for([[undefined], [null], [[]], ['text'], [{}], [{ operation: 'sale', methods: ['voucher'] }]])(
    'of %j never throws',
    ([input]) => {
      expect(registry.validate(input, { today }).ok).toBe(false);
    },
  );

  test('refuses a body that is too deep without looking at its methods', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 40; level += 1) deep = { deep };
    expect(said(asked({ note: deep }))).toEqual([
      'parameters.voucher: This value should not be nested deeper than 32 levels.',
    ]);
  });

  test.for(['__proto__', 'constructor', 'toString'])('does not take the key %s for a method', (key) => {
    const parameters: unknown = JSON.parse(`{"${key}":{"a":"b"}}`);
    expect(said({ parameters })).toEqual([`parameters.${key}: This field was not expected.`]);
    expect(said({ methods: [key] })).toEqual(['methods: The value you selected is not a valid choice.']);
  });

  test('refuses a method that is not there, once', () => {
    expect(said({ methods: ['gone', 'lost'] })).toEqual(['methods: The value you selected is not a valid choice.']);
  });

  test('refuses an operation that the method does not have', () => {
    const debit = { operation: 'debit' };
    expect(said(asked(north, debit))).toEqual(['methods: The value you selected is not a valid choice.']);
    expect(said({ ...debit, parameters: { voucher: north } })).toEqual([
      'parameters.voucher: The value you selected is not a valid choice.',
    ]);
  });

  test('refuses a currency that the method does not take', () => {
    const order = { number: 'order-1001', amount: '25.00', currency: 'BRL', description: 'Two tickets' };
    expect(said(asked(north, { order }))).toEqual(['order.currency: The value you selected is not a valid choice.']);
  });

  test('checks the parameters of a method that is not asked for, but not its limits', () => {
    const order = { number: 'order-1001', amount: '5', currency: 'BRL', description: 'Two tickets' };
    expect(said({ methods: ['regional'], parameters: { voucher: north }, order })).toEqual([]);
    expect(said({ methods: ['regional'], parameters: { voucher: { ...north, store: 'east' } } })).toEqual([
      'parameters.voucher.store: The value you selected is not a valid choice.',
    ]);
  });

  test('requires what no other source can supply', () => {
    expect(said(asked({}))).toEqual([
      'parameters.voucher.store: This value should not be blank.',
      'parameters.voucher.branch: This value should not be blank.',
    ]);
  });

  test('says under which condition a field is required', () => {
    expect(said(asked({ ...north, kind: 'often' }))).toEqual([
      'parameters.voucher.times: This value should not be blank. It is required when parameters.kind is often.',
    ]);
  });

  test('checks a value that is given though its condition does not hold', () => {
    expect(said(asked({ ...north, times: 'x' }))).toEqual(['parameters.voucher.times: This value is not valid.']);
  });

  test.for([null, '', 7, [], {}])('refuses %j for an optional text', (note) => {
    const [only, ...more] = said(asked({ ...north, note }));
    expect(only).toMatch(/^parameters\.voucher\.note: This value should /);
    expect(more).toEqual([]);
  });

  test('applies rules once their parameters are valid', () => {
    expect(said(asked({ ...north, branch: '2001' }))).toEqual([
      'parameters.voucher.branch: This branch is not in the north.',
    ]);
    expect(said(asked({ ...north, branch: 'x' }))).toEqual(['parameters.voucher.branch: This value is not valid.']);
  });

  test('chooses limits by the operator that is a parameter', () => {
    const order = { number: 'order-1001', amount: '5', currency: 'USD', description: 'Two tickets' };
    expect(said(asked({ ...north, store: 'south' }, { order }))).toEqual([]);
    expect(said(asked(north, { order }))).toEqual(['order.amount: This value should be greater than or equal to 10.']);
  });

  test('reports an amount outside the limits of two methods in both ways', () => {
    const dear = defineMethod({
      key: 'dear',
      title: 'Dear',
      operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
      limits: { source: 'this test', rows: [{ currency: 'USD', min: '30' }] },
    });
    const all = createRegistry([voucher, dear]);
    const order = { number: 'order-1001', amount: '5', currency: 'USD', description: 'Two tickets' };
    const input = request({ methods: ['voucher', 'dear'], parameters: { voucher: north }, order });
    expect(lines(all.validate(input, { today }))).toEqual([
      'order.amount: This value should be greater than or equal to 10.',
      'order.amount: This value should be greater than or equal to 30.',
    ]);
  });
});

describe('a profile', () => {
  const { branch: _branch, ...withoutBranch } = north;

  test('supplies what the MID has', () => {
    expect(said(asked(withoutBranch))).toEqual(['parameters.voucher.branch: This value should not be blank.']);
    expect(said(asked(withoutBranch), one({ supplied: ['branch'] }))).toEqual([]);
  });

  test('cannot supply what the method takes from the request alone', () => {
    expect(said(asked({ branch: '1001' }), one({ supplied: ['store'] }))).toEqual([
      'parameters.voucher.store: This value should not be blank.',
    ]);
  });

  test('makes the MID’s values count in conditions and rules', () => {
    const often = one({ supplied: ['kind'], values: { kind: 'often' } });
    expect(said(asked(north), often)).toEqual([
      'parameters.voucher.times: This value should not be blank. It is required when parameters.kind is often.',
    ]);
    expect(said(asked({ ...north, kind: 'once' }), often)).toEqual([]);
    const south = one({ supplied: ['branch'], values: { branch: '2001' } });
    expect(said(asked(withoutBranch), south)).toEqual(['parameters.voucher.branch: This branch is not in the north.']);
  });

  test('makes optional fields required, unless the payer can be asked', () => {
    expect(said(asked(north), one({ required: ['note', 'customer.email'] }))).toEqual([
      'parameters.voucher.note: This value should not be blank.',
    ]);
  });

  test('puts its limits before the method’s', () => {
    const limits = [{ currency: 'USD', operation: 'purchase' as const, max: '24.99' }];
    expect(said(asked(north), one({ limits }))).toEqual([
      'order.amount: This value should be less than or equal to 24.99.',
    ]);
  });

  test('puts its limits on a method that has none', () => {
    const profile: Profile = { methods: { regional: { method: 'regional', limits: [{ currency: 'USD', max: '1' }] } } };
    const billing_address = { country: 'BR' };
    expect(said({ methods: ['regional'], billing_address }, profile)).toEqual([
      'order.amount: This value should be less than or equal to 1.',
    ]);
  });

  test('turns wrong check digits from warnings into issues', () => {
    const odd = asked({ ...north, document: '123457' });
    expect(check(odd)).toMatchObject({
      ok: true,
      warnings: [{ path: 'parameters.voucher.document', message: 'The check digit is wrong.' }],
    });
    expect(said(odd, one({ strict_documents: true }))).toEqual([
      'parameters.voucher.document: The check digit is wrong.',
    ]);
  });

  test('names paths by the alias that was sent', () => {
    const profile: Profile = { methods: { corner: { method: 'voucher' }, far: { method: 'voucher' } } };
    expect(said({ methods: ['corner'], parameters: { corner: { ...north, kind: 'often' } } }, profile)).toEqual([
      'parameters.corner.times: This value should not be blank. It is required when parameters.kind is often.',
    ]);
    expect(said({ methods: ['voucher'], parameters: { voucher: north } }, profile)).toEqual([
      'methods: The value you selected is not a valid choice.',
    ]);
  });

  test('is a schema that refuses what it does not know', () => {
    expect(profileSchema.safeParse({ methods: { a: { method: 'a', key: 'x' } } }).success).toBe(false);
  });
});

describe('variants', () => {
  const br = { billing_address: { country: 'BR' } };
  const regionally = (own: Record<string, unknown>, more: Record<string, unknown> = br) =>
    said({ methods: ['regional'], parameters: { regional: own }, ...more });

  test('are chosen by the session', () => {
    expect(regionally({ cpf: '12345678901' })).toEqual([]);
    expect(regionally({ curp: 'A' })).toEqual(['parameters.regional.curp: This field was not expected.']);
    expect(regionally({}, { billing_address: { country: 'MX' } })).toEqual([
      'parameters.regional.curp: This value should not be blank.',
    ]);
  });

  test('that are not declared are refused with those that are', () => {
    expect(regionally({}, { billing_address: { country: 'CL' } })).toEqual([
      'billing_address.country: The value you selected is not a valid choice. Use one of BR, MX for regional.',
    ]);
  });

  test('stay open until the payer has said, and then refuse only what no variant knows', () => {
    expect(regionally({ cpf: 'x', what: '1' }, {})).toEqual(['parameters.regional.what: This field was not expected.']);
  });
});
