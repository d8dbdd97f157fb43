import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineMethod } from '../../src/index.ts';
import { createRegistry, parseProfile, type Profile, routesOf } from '../../src/registry.ts';
import { lines, request, today } from './support.ts';

const plain = (key: string) =>
  defineMethod({
    key,
    title: key,
    operations: {
      purchase: { parameters: z.strictObject({}), completion: [] },
      credit: { parameters: z.strictObject({}), completion: [] },
    },
  });
const registry = createRegistry([plain('card'), plain('bank')]);

/** A key with MIDs: `card` by two, `bank` by one. */
const profile = (change: Partial<Profile> = {}): Profile => ({
  methods: {
    card: {
      method: 'card',
      mid: 'small',
      channels: ['web'],
      mode: 'SMS',
      currencies: ['USD', 'EUR'],
      limits: [{ currency: 'USD', max: '50.00' }],
      more: [
        { method: 'card', mid: 'large', channels: ['web', 'app'], limits: [{ currency: 'USD', min: '50.01' }] },
        { method: 'card', mid: 'later', channels: ['hold'], mode: 'DMS' },
      ],
    },
    bank: { method: 'bank', mid: 'bank', limits: [{ currency: 'USD', max: '100.00' }] },
  },
  channels: ['web', 'app', 'hold'],
  ...change,
});

function routed(changes: Record<string, unknown>, of: Profile = profile()): string[] {
  const checked = registry.validate(request(changes), { today, profile: of });
  if (!checked.ok) return lines(checked);
  return routesOf(registry, checked.session, { profile: of, today }).map(({ key, entry }) => `${key} by ${entry.mid}`);
}

const order = (amount: string, currency = 'USD') => ({
  order: { number: 'order-1001', amount, currency, description: 'Two tickets' },
});
const NOT_VALID = 'The value you selected is not a valid choice.';

describe('a method of several MIDs', () => {
  test.each([
    ['goes to the first that takes the amount', order('25.00'), 'card by small'],
    ['goes to the next where the first does not take the amount', order('75.00'), 'card by large'],
    ['goes to the next where the first does not take the currency', order('75.00', 'BRL'), 'card by large'],
    ['goes to one of the channel', { ...order('75.00'), channel_id: 'app' }, 'card by large'],
    ['goes to the first of the channel', { channel_id: 'web' }, 'card by small'],
    ['goes past an SMS MID for an authorization', { ...order('75.00'), auth: true }, 'card by large'],
    ['goes to a DMS MID for an authorization', { channel_id: 'hold', auth: true }, 'card by later'],
  ])('%s', (_, changes, mid) => {
    expect(routed({ methods: ['card'], ...changes })).toEqual([mid]);
  });

  test.each([
    [
      'no MID of the channel takes it',
      { ...order('25.00'), channel_id: 'app' },
      'order.amount: This value should be greater than or equal to 50.01.',
    ],
    ['a sale is asked of a DMS MID', { channel_id: 'hold' }, `auth: ${NOT_VALID}`],
    ['the channel does not carry it', { methods: ['bank'], channel_id: 'web' }, `methods: ${NOT_VALID}`],
    ['nobody knows the channel', { channel_id: 'nowhere' }, `channel_id: ${NOT_VALID}`],
  ])('is refused where %s', (_, changes, line) => {
    expect(routed({ methods: ['card'], ...changes })).toEqual([line]);
  });

  test('goes past those that were tried already', () => {
    const checked = registry.validate(request(order('75.00', 'BRL')), { today, profile: profile() });
    if (!checked.ok) return expect.fail();
    const routes = (...tried: string[]) =>
      routesOf(registry, checked.session, { profile: profile(), today, except: new Set(tried) });
    expect(routes('large').map(({ key }) => key)).not.toContain('card');
    expect(routes('small').map(({ entry }) => entry.mid)).toContain('large');
  });

  test('is not asked for its payment mode by a payout', () => {
    const dms = profile({ methods: { card: { method: 'card', mid: 'dms', mode: 'DMS' } } });
    expect(routed({ operation: 'credit', methods: ['card'], payee: { name: 'Ann Lee' } }, dms)).toEqual([
      'card by dms',
    ]);
  });

  test('is checked by channel only where the profile lists channels', () => {
    const { channels: _channels, ...without } = profile();
    expect(routed({ methods: ['card'], channel_id: 'nowhere' }, without)).toEqual([`methods: ${NOT_VALID}`]);
  });
});

describe('a request without methods', () => {
  test('sees all that take it', () => {
    expect(routed({})).toEqual(['card by small', 'bank by bank']);
    expect(routed({ methods: [] })).toEqual(['card by small', 'bank by bank']);
    expect(routed(order('150.00'))).toEqual(['card by large']);
  });

  test('sees what its channel has', () => {
    expect(routed({ channel_id: 'web' })).toEqual(['card by small']);
  });

  test('is refused where no account takes it', () => {
    const small = profile({ methods: { bank: { method: 'bank', limits: [{ currency: 'USD', max: '10.00' }] } } });
    expect(routed({}, small)).toEqual([
      `methods: ${NOT_VALID} No method takes this request; see its currency and amount.`,
    ]);
    expect(routed({ channel_id: 'nowhere' })).toEqual([`channel_id: ${NOT_VALID}`]);
  });
});

describe('pre-routing rules', () => {
  const rules = profile({
    rules: [
      { amount: { currency: 'USD', min: '20.00', max: '30.00' }, methods: ['bank', 'card'] },
      { currencies: ['EUR'], countries: ['DE'], methods: ['bank'] },
      { operations: ['credit'], methods: ['bank'] },
      { currencies: ['USD'], mids: ['large'] },
    ],
  });

  test.each([
    ['an amount at the lower edge', order('20.00'), ['bank by bank', 'card by small']],
    ['an amount at the upper edge', order('30.00'), ['bank by bank', 'card by small']],
    [
      'another amount',
      order('30.01'),
      [`methods: ${NOT_VALID} No method takes this request; see its currency and amount.`],
    ],
    ['a MID', order('60.00'), ['card by large']],
    ['a country', { ...order('5.00', 'EUR'), billing_address: { country: 'DE' } }, ['bank by bank']],
    [
      'another country',
      { ...order('5.00', 'EUR'), billing_address: { country: 'FR' } },
      ['card by small', 'bank by bank'],
    ],
    ['no country', order('5.00', 'EUR'), ['card by small', 'bank by bank']],
    ['an operation', { ...order('5.00', 'EUR'), operation: 'credit', payee: { name: 'Ann Lee' } }, ['bank by bank']],
  ])('let %s decide', (_, changes, found) => {
    expect(routed(changes, rules)).toEqual(found);
  });

  test('are ignored where the request names methods', () => {
    expect(routed({ ...order('5.00'), methods: ['card'] }, rules)).toEqual(['card by small']);
  });

  test('are read from an exported profile, and refused where they cannot be', () => {
    expect(parseProfile(JSON.parse(JSON.stringify(rules)))).toEqual({ ok: true, profile: rules });
    const wrong = parseProfile({
      methods: {},
      rules: [{ amount: { currency: 'XXZ' } }, { amount: { currency: 'USD', min: '1.001' } }],
    });
    expect(wrong.ok ? [] : wrong.issues.map(({ path }) => path)).toEqual([
      'profile.rules.0.amount',
      'profile.rules.1.amount',
    ]);
  });
});
