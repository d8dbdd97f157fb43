import * as fc from '../../../../test/support/properties.ts';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineMethod, field, limitsTable, type Method, secret } from '../../src/index.ts';
import {
  breach,
  createRegistry,
  midValueIssues,
  parseProfile,
  type Profile,
  profileOf,
  resolveMethod,
  scopeOf,
  type Source,
} from '../../src/registry.ts';
import { lines, north, regional, request, sessionOf, today, voucher } from './support.ts';

const registry = createRegistry([voucher, regional]);
const supplied: Profile = {
  methods: { voucher: { method: 'voucher', supplied: ['branch'] }, regional: { method: 'regional' } },
};
const voucherSession = (own: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  sessionOf([voucher], { methods: ['voucher'], parameters: { voucher: own }, ...more }, supplied);
const mail = { customer: { email: 'ann@shop.example' } };

describe('resolving', () => {
  test('says where every value came from', () => {
    const session = voucherSession({ store: 'north' });
    const payer = { 'parameters.voucher.document': '123456', 'customer.email': 'ann@shop.example' };
    expect(resolveMethod(registry, session, 'voucher', { mid: { branch: '1001' }, payer })).toEqual({
      kind: 'complete',
      value: {
        variant: undefined,
        parameters: { store: 'north', branch: '1001', document: '123456', language: 'en', kind: 'once' },
        needed: { 'customer.email': 'ann@shop.example' },
        origins: {
          store: 'session',
          branch: 'mid',
          document: 'payer',
          language: 'default',
          kind: 'default',
          'customer.email': 'payer',
        },
        warnings: [],
      },
    });
  });

  test('lists what the payer has to be asked, with label and path', () => {
    const found = resolveMethod(registry, voucherSession(north), 'voucher');
    expect(found.kind === 'missing' && found.fields.map(({ path, info }) => [path, info.label])).toEqual([
      ['customer.email', 'E-mail'],
    ]);
  });

  test('takes an input that the payer left blank as not given', () => {
    const payer = { 'parameters.voucher.document': '', 'customer.email': '' };
    const { document: _left, ...rest } = north;
    const found = resolveMethod(registry, voucherSession(rest), 'voucher', { payer });
    expect(found.kind === 'missing' && found.fields.map(({ name }) => name)).toEqual(['customer.email', 'document']);
  });

  test('reports a wrong answer of the payer with its path', () => {
    const payer = { 'customer.email': 'nowhere' };
    expect(resolveMethod(registry, voucherSession(north), 'voucher', { payer })).toMatchObject({
      kind: 'invalid',
      issues: [{ path: 'customer.email' }],
    });
  });

  test('ignores answers for what the payer is not asked', () => {
    const payer = { 'parameters.voucher.kind': 'often', 'parameters.voucher.branch': '9999', 'order.currency': 'X' };
    const found = resolveMethod(registry, voucherSession(north, mail), 'voucher', { payer });
    expect(found).toMatchObject({ kind: 'complete', value: { parameters: { branch: '1001', kind: 'once' } } });
  });

  test('looks at MID values and defaults in conditions', () => {
    const session = voucherSession(north, mail);
    expect(resolveMethod(registry, session, 'voucher', { mid: { kind: 'often' } })).toMatchObject({
      kind: 'invalid',
      issues: [{ path: 'parameters.voucher.times' }],
    });
    expect(resolveMethod(registry, session, 'voucher', { mid: { kind: 'often', times: '3' } })).toMatchObject({
      kind: 'complete',
      value: { parameters: { kind: 'often', times: '3' } },
    });
    expect(resolveMethod(registry, session, 'voucher', { mid: { times: '3' } })).not.toHaveProperty(
      'value.parameters.times',
    );
  });

  test('asks further once an answer makes a field apply', () => {
    const method = defineMethod({
      key: 'm',
      title: 'M',
      operations: {
        purchase: {
          parameters: z.strictObject({
            as: field(z.enum(['person', 'company']), { label: 'As', sources: ['payer'] }),
            name: field(z.string(), {
              label: 'Company',
              sources: ['payer'],
              when: { path: 'parameters.as', in: ['company'] },
            }),
          }),
          completion: [],
        },
      },
    });
    const session = sessionOf([method], { methods: ['m'] });
    const ask = (payer: Record<string, string>) => resolveMethod(createRegistry([method]), session, 'm', { payer });
    expect(ask({})).toMatchObject({ kind: 'missing', fields: [{ name: 'as' }] });
    expect(ask({ 'parameters.m.as': 'company' })).toMatchObject({ kind: 'missing', fields: [{ name: 'name' }] });
    expect(ask({ 'parameters.m.as': 'person' })).toMatchObject({ kind: 'complete' });
  });

  test('chooses the variant by the session, the MID or the payer', () => {
    const asked = { methods: ['regional'] };
    const here = sessionOf([regional], { ...asked, billing_address: { country: 'BR' } });
    const open = sessionOf([regional], asked);
    const payer = { 'billing_address.country': 'BR', 'parameters.regional.cpf': '12345678901' };
    const value = { variant: 'BR', parameters: { cpf: '12345678901' }, needed: { 'billing_address.country': 'BR' } };
    expect(resolveMethod(registry, open, 'regional')).toMatchObject({
      kind: 'missing',
      fields: [{ name: 'billing_address.country' }],
    });
    expect(resolveMethod(registry, open, 'regional', { payer })).toMatchObject({ kind: 'complete', value });
    expect(resolveMethod(registry, here, 'regional', { payer })).toMatchObject({ kind: 'complete', value });
    expect(
      resolveMethod(registry, open, 'regional', { mid: { 'billing_address.country': 'MX' }, payer }),
    ).toMatchObject({
      kind: 'invalid',
      issues: [{ path: 'parameters.regional.curp' }],
    });
    expect(resolveMethod(registry, open, 'regional', { payer: { 'billing_address.country': 'CL' } })).toMatchObject({
      kind: 'invalid',
      issues: [{ path: 'billing_address.country' }],
    });
  });

  test('refuses a method that the session’s operation does not have', () => {
    expect(resolveMethod(registry, voucherSession(north), 'gone')).toMatchObject({ kind: 'invalid' });
  });

  test('reads no inherited property as a value', () => {
    const names = ['toString', 'valueOf', 'hasOwnProperty'];
    const all: readonly Source[] = ['mid', 'payer'];
    const shape = Object.fromEntries(names.map((name) => [name, field(z.unknown(), { label: name, sources: all })]));
    const method = defineMethod({
      key: 'm',
      title: 'M',
      operations: { purchase: { parameters: z.strictObject(shape), completion: [] } },
    });
    const found = resolveMethod(createRegistry([method]), sessionOf([method], { methods: ['m'] }), 'm', {
      mid: {},
      payer: {},
    });
    expect(found.kind === 'complete' && [found.value.parameters, found.value.origins]).toEqual([{}, {}]);
  });
});

describe('whatever is given,', () => {
  const value = fc.option(fc.string({ minLength: 1, maxLength: 3 }), { nil: undefined });
  const sources = fc.subarray<Source>(['mid', 'payer', 'default']);

  test('the request comes before the MID, the MID before the payer, the payer before the default', () => {
    fc.assert(
      fc.property(value, value, value, value, sources, fc.boolean(), (session, mid, payer, fallback, allowed, turn) => {
        const info = {
          label: 'A',
          sources: turn ? allowed.toReversed() : allowed,
          ...(fallback !== undefined && { fallback }),
        };
        const method: Method = defineMethod({
          key: 'm',
          title: 'M',
          operations: {
            purchase: { parameters: z.strictObject({ a: field(z.string(), info).optional() }), completion: [] },
          },
        });
        const input = { methods: ['m'], ...(session !== undefined && { parameters: { m: { a: session } } }) };
        const found = resolveMethod(createRegistry([method]), sessionOf([method], input), 'm', {
          ...(mid !== undefined && { mid: { a: mid } }),
          ...(payer !== undefined && { payer: { 'parameters.m.a': payer } }),
        });
        const given = { mid, payer, default: fallback };
        const source = (['mid', 'payer', 'default'] as const).find(
          (each) => allowed.includes(each) && given[each] !== undefined,
        );
        const expected =
          session !== undefined ? ['session', session] : source === undefined ? [] : [source, given[source]];
        expect(found.kind === 'complete' && [found.value.origins.a, found.value.parameters.a]).toEqual(
          expected.length === 0 ? [undefined, undefined] : expected,
        );
      }),
    );
  });

  test('a merchant who validates with the exported profile reads what the service will say', () => {
    const some = <T>(...values: T[]) => fc.constantFrom(undefined, ...values);
    const own = fc.record({
      store: some('north', 'south', 'east'),
      branch: some('1001', '2001', 'x'),
      document: some('123456', '123457', '1'),
      language: some('pt', 'xx'),
      kind: some('once', 'often'),
      times: some('3', '0'),
      note: some('short', 'much too long'),
      colour: some('red'),
    });
    const mid = fc.record({
      branch: some('1001', '2001'),
      document: some('123456', '123457'),
      kind: some('once', 'often'),
      times: some('4'),
      language: some('pt'),
    });
    const amount = fc.constantFrom('0.99', '1', '9.99', '10', '100', '100.01', '300');
    const limits = fc.constantFrom(undefined, [{ currency: 'USD', max: '200' }]);
    const required = fc.constantFrom(undefined, ['note'], ['document', 'customer.email']);
    const email = fc.constantFrom(undefined, 'ann@shop.example');
    fc.assert(
      fc.property(
        own,
        mid,
        amount,
        limits,
        required,
        fc.boolean(),
        email,
        (own, mid, text, rows, names, strict, to) => {
          const values = present(mid);
          const entry = profileOf(voucher, {
            values,
            strict_documents: strict,
            ...(rows && { limits: rows }),
            ...(names && { required: names }),
          });
          // It travels as JSON.
          const read = parseProfile(JSON.parse(JSON.stringify({ methods: { corner: entry } })));
          if (!read.ok) throw new Error('The profile cannot be read.');
          const input = request({
            methods: ['corner'],
            parameters: { corner: present(own) },
            order: { number: 'order-1001', amount: text, currency: 'USD', description: 'Two tickets' },
            ...(to !== undefined && { customer: { email: to } }),
          });
          const merchant = lines(registry.validate(input, { today, profile: read.profile }));
          expect(merchant.toSorted()).toEqual(serviceLines(input, values, read.profile).toSorted());
        },
      ),
      { numRuns: 500 },
    );
  });
});

function present(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** What a service says that holds the MID's values, before the payer has been asked anything. */
function serviceLines(input: Record<string, unknown>, mid: Record<string, unknown>, profiles: Profile): string[] {
  const { methods: _methods, parameters: _parameters, ...plain } = input;
  const parsed = createRegistry([]).validate(plain, { today });
  if (!parsed.ok) throw new Error('The request itself is wrong.');
  const { corner } = Object(input.parameters);
  const session = { ...parsed.session, parameters: { corner } };
  const found = resolveMethod(registry, session, 'corner', { mid, profiles });
  const sources = { mid, profile: profiles.methods.corner };
  const { amount } = session;
  const outside = amount === 'payer' ? [] : breach(voucher, 'purchase', amount, scopeOf(session, 'corner'), sources);
  const issues = [...(found.kind === 'invalid' ? found.issues : []), ...outside];
  return issues.map(({ path, message }) => `${path}: ${message}`);
}

describe('a profile that is exported', () => {
  const method = defineMethod({
    key: 'm',
    title: 'M',
    operations: {
      purchase: {
        parameters: z.strictObject({
          pin: field(z.string(), { label: 'Pin', sources: ['mid'], secret: true }),
          mode: field(z.string(), { label: 'Mode', sources: ['mid'] }),
          plain: field(z.string().max(3), { label: 'Plain', sources: ['mid'] }).optional(),
          own: secret(z.string(), 'Own').optional(),
          after: field(z.string(), {
            label: 'After',
            when: {
              any: [
                { all: [{ path: 'parameters.mode', in: ['a'] }] },
                { path: 'parameters.pin', present: true },
                { path: 'customer.email', present: true },
              ],
            },
          }),
        }),
        needs: { 'billing_address.country': field(z.string(), { label: 'Country', sources: ['mid'] }) },
        completion: [],
      },
    },
  });
  const values = { pin: '1', mode: 'a', plain: 'b', own: 'c', 'billing_address.country': 'BR', other: 'd' };

  test('gives the values that decide about others, and never a secret one', () => {
    expect(profileOf(method, { values })).toEqual({
      method: 'm',
      supplied: ['pin', 'mode', 'plain', 'billing_address.country'],
      values: { mode: 'a' },
    });
    const limits = [{ currency: 'USD', country: 'BR', max: '1' }];
    expect(profileOf(method, { values, limits }).values).toEqual({ mode: 'a', 'billing_address.country': 'BR' });
    expect(profileOf({ ...method, limits: limitsTable('a test', limits) }, { values }).values).toEqual({
      mode: 'a',
      'billing_address.country': 'BR',
    });
  });

  test('comes from values that the method takes from a MID', () => {
    expect(midValueIssues(method, { ...values, plain: 'long' }).map(({ path }) => path)).toEqual([
      'plain',
      'own',
      'other',
    ]);
    expect(midValueIssues(method, { mode: 'a' })).toEqual([]);
  });

  test.for<[string, unknown, string]>([
    ['no object', [], 'profile'],
    ['no methods', {}, 'profile.methods'],
    ['an unknown name', { methods: { a: { method: 'a', secret: 'x' } } }, 'profile.methods.a.secret'],
    ['a limit that is no amount', limited({ min: 'x' }), 'profile.methods.a.limits.0'],
    ['a min above its max', limited({ min: '2', max: '1' }), 'profile.methods.a.limits.0'],
    ['an unknown currency', limited({ currency: 'X' }), 'profile.methods.a.limits.0'],
  ])('is refused with %s', ([, input, path]) => {
    const parsed = parseProfile(input);
    expect(!parsed.ok && parsed.issues.map((each) => each.path)).toEqual([path]);
  });
});

function limited(row: Record<string, unknown>) {
  return { methods: { a: { method: 'a', limits: [{ currency: 'USD', ...row }] } } };
}
