import * as fc from '../../../../test/support/properties.ts';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineMethod, field, type Method, money } from '../../src/index.ts';
import { createRegistry, createServiceRegistry, type Profile, resolveMethod, scopeOf } from '../../src/registry.ts';
import { lines, north, sessionOf, today, voucher } from './support.ts';

/** A method whose rule sees the order's amount and the account. */
const seen: unknown[] = [];
const watched = defineMethod({
  key: 'watched',
  title: 'Watched',
  operations: {
    purchase: {
      parameters: z.strictObject({ note: field(z.string(), { label: 'Note', sources: ['payer'] }) }),
      rules: [
        {
          paths: ['note'],
          level: 'error',
          says: 'It looks on.',
          check: (_parameters, facts) => {
            seen.push({ ...facts });
            return undefined;
          },
        },
      ],
      completion: [],
    },
  },
});

/** Conditions upon fields with conditions, upon parts of fields and upon needs that the account gives. */
const winding = defineMethod({
  key: 'winding',
  title: 'Winding',
  operations: {
    purchase: {
      parameters: z.strictObject({
        words: field(z.string(), { label: 'Words', sources: ['mid'] }),
        cart: field(z.object({ kind: z.string() }), { label: 'Cart', sources: ['payer'] }).optional(),
        gift: field(z.string(), {
          label: 'Gift',
          when: { path: 'parameters.cart.kind', in: ['gift'] },
          sources: ['mid'],
        }),
        card: field(z.string(), {
          label: 'Card',
          when: { path: 'parameters.gift', present: true },
          sources: ['payer'],
        }),
        visa: field(z.string(), { label: 'Visa', when: { path: 'billing_address.country', notIn: ['BR'] } }).optional(),
        form: field(z.string(), { label: 'Form', when: { path: 'billing_address.country', in: ['DE'] } }),
      }),
      needs: {
        'billing_address.country': field(z.string(), { label: 'Country', sources: ['mid', 'payer'] }).optional(),
        'customer.name': field(z.string(), {
          label: 'Name',
          when: { path: 'billing_address.country', in: ['DE'] },
          sources: ['payer'],
        }),
      },
      completion: [],
    },
  },
});

const both = (methods: readonly Method[]) => [createRegistry(methods), createServiceRegistry(methods)] as const;
const voucherSession = (changes: Record<string, unknown> = {}) =>
  sessionOf([voucher], { methods: ['voucher'], parameters: { voucher: north }, ...changes });

describe('the registry of a service', () => {
  test('goes the shorter way where there is nothing to say', () => {
    const session = voucherSession({ customer: { email: 'ann@shop.example' } });
    const { quick } = createServiceRegistry([voucher]);
    const way = quick?.(voucher.operations.purchase);
    expect(way?.(session, scopeOf(session, 'voucher', voucher), { today }, 'is-wrong')).toMatchObject({
      parameters: { ...north, language: 'en', kind: 'once' },
      needed: { 'customer.email': 'ann@shop.example' },
      warnings: [],
    });
    expect(createRegistry([voucher]).quick).toBeUndefined();
  });

  test('says what the payer has to be asked, and what a rule warns of', () => {
    const [plain, service] = both([voucher]);
    const session = voucherSession({ parameters: { voucher: { ...north, document: '123451' } } });
    const warned = service.validateParsed(session, { today });
    expect(warned).toMatchObject({ ok: true, warnings: [{ path: 'parameters.voucher.document' }] });
    expect(warned).toEqual(plain.validateParsed(session, { today }));
    const asked = resolveMethod(service, session, 'voucher', { today });
    expect(asked).toMatchObject({ kind: 'missing', fields: [{ name: 'customer.email' }] });
    expect(asked).toEqual(resolveMethod(plain, session, 'voucher', { today }));
  });

  test('shows rules the amount of the order, also where another one is paid', () => {
    const [plain, service] = both([watched]);
    const session = sessionOf([watched], { methods: ['watched'], parameters: { watched: { note: 'a' } } });
    const paid = { ...session, amount: money('26.50', 'USD') };
    seen.length = 0;
    for (const registry of [plain, service])
      for (const each of [session, paid]) expect(registry.validateParsed(each, { today }).ok).toBe(true);
    const facts = { today, currency: 'USD', amount: money('25.00', 'USD'), account: undefined };
    expect(seen).toEqual([facts, facts, facts, facts]);
  });

  test.each<[string, Record<string, unknown>, Profile['methods'][string]]>([
    ['no method by that key', { methods: ['voucher', 'none'] }, { method: 'voucher' }],
    ['parameters of a method that is not asked for', { parameters: { none: {} } }, { method: 'voucher' }],
    ['a channel that no account has', { channel_id: 'shop' }, { method: 'voucher', channels: ['shop'] }],
    ['a channel without an account', { channel_id: 'shop' }, { method: 'voucher', channels: ['web'] }],
    ['an authorisation where the account takes none', { auth: true }, { method: 'voucher', mode: 'SMS' }],
    ['an amount below the limit of the account', {}, { method: 'voucher', limits: [{ currency: 'USD', min: '30' }] }],
    ['a currency that the account does not take', {}, { method: 'voucher', currencies: ['EUR'] }],
    ['a field that the account requires', {}, { method: 'voucher', required: ['note'] }],
    ['a path that the account requires', {}, { method: 'voucher', required: ['note.within'] }],
  ])('refuses %s', (_what, changes, entry) => {
    const [plain, service] = both([voucher]);
    const session = { ...voucherSession(), ...changes };
    const options = { today, profile: { methods: { voucher: entry }, channels: ['web'] } };
    const refused = service.validateParsed(session, options);
    expect(lines(refused)).not.toEqual([]);
    expect(refused).toEqual(plain.validateParsed(session, options));
  });

  test('says of a zero amount and of another method’s parameters what there is to say', () => {
    const [plain, service] = both([voucher, watched]);
    const watchedSession = sessionOf([watched], { methods: ['watched'], parameters: { watched: { note: 'a' } } });
    const zero = { ...watchedSession, amount: money('0.00', 'USD') };
    const more = { ...voucherSession(), parameters: { voucher: north, watched: { odd: 'x' } } };
    for (const each of [zero, more]) {
      const refused = service.validateParsed(each, { today });
      expect(lines(refused)).not.toEqual([]);
      expect(refused).toEqual(plain.validateParsed(each, { today }));
    }
  });

  test('goes by conditions however they lead to each other', () => {
    const [plain, service] = both([winding]);
    const way = service.quick?.(winding.operations.purchase);
    const word = fc.constantFrom('x', 'x', 'x', 'x', '', 1, undefined, undefined);
    const cart = fc.option(fc.constantFrom({ kind: 'gift' }, { kind: 'x' }, 'gift'), { freq: 2, nil: undefined });
    const country = fc.option(fc.constantFrom('DE', 'BR'), { freq: 2, nil: undefined });
    const own = fc.record({ words: word, cart, gift: word, card: word, visa: word, form: word });
    const elsewhere = fc.record({ words: word, gift: word, 'billing_address.country': country });
    const answers = fc.record({
      'parameters.winding.card': word,
      'parameters.winding.cart': cart,
      'customer.name': word,
    });
    const bare = sessionOf([], {});
    let short = 0;
    const property = fc.property(own, country, elsewhere, answers, (parameters, code, mid, payer) => {
      const session = {
        ...bare,
        methods: ['winding'],
        parameters: { winding: parameters },
        ...(code && { billing_address: { country: code } }),
      };
      const profile = { methods: { winding: { method: 'winding', values: mid, supplied: Object.keys(mid) } } };
      const options = { today, profile };
      expect(service.validateParsed(session, options)).toEqual(plain.validateParsed(session, options));
      const sources = { mid, payer, today };
      const resolved = resolveMethod(plain, session, 'winding', sources);
      expect(resolveMethod(service, session, 'winding', sources)).toEqual(resolved);
      if (way?.(session, scopeOf(session, 'winding', winding), sources, 'is-wrong') !== undefined) short += 1;
    });
    fc.assert(property, { numRuns: 3000 });
    expect(short).toBeGreaterThan(100);
  });

  test('passes over the first account of a method where another one takes the request', () => {
    const [plain, service] = both([voucher]);
    const first = { method: 'voucher', currencies: ['EUR'] };
    const options = { today, profile: { methods: { voucher: { ...first, more: [{ method: 'voucher' }] } } } };
    const taken = service.validateParsed(voucherSession(), options);
    expect(taken.ok).toBe(true);
    expect(taken).toEqual(plain.validateParsed(voucherSession(), options));
  });
});
