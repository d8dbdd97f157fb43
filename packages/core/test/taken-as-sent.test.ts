import { describe, expect, it } from 'vitest';
import { parseSession } from '../src/session/parse-session.ts';

const body = {
  merchant_key: 'key',
  operation: 'purchase',
  success_url: 'https://shop.example/done',
  hash: 'f'.repeat(40),
  order: { number: 'order-1', amount: '10.00', currency: 'USD', description: 'Tea' },
};

const parse = (more: object) => parseSession({ ...body, ...more }, { today: '2026-11-21' });
const issuesOf = (more: object) => {
  const parsed = parse(more);
  return parsed.ok ? [] : parsed.issues.map(({ path, message }) => `${path}: ${message}`);
};

describe('a session that real clients send', () => {
  it.each(['taro..y@docomo.example', 'taro.@ezweb.example'])('takes the address of a Japanese carrier: %s', (email) => {
    expect(issuesOf({ customer: { email } })).toEqual([]);
  });

  it.each(['.taro@docomo.example', 'taro@@docomo.example', 'taro@docomo'])(
    'refuses what is no address: %s',
    (email) => {
      expect(issuesOf({ customer: { email } })).toEqual(['customer.email: This value is not a valid email address.']);
    },
  );

  it.each(['AE', 'HK'])('takes an empty zip as absent: %s', (country) => {
    const parsed = parse({ billing_address: { country, zip: '', phone: '' }, customer: { name: '', email: '' } });
    expect(parsed.ok ? [parsed.session.billing_address, parsed.session.customer] : parsed.issues).toEqual([
      { country },
      {},
    ]);
  });

  it.each([
    ['AU', 'VIC', 'VI'],
    ['AU', 'nsw', 'NS'],
    ['AU', 'VI', 'VI'],
    ['JP', 'TK', 'TK'],
    ['US', 'VI', 'VI'],
  ])('takes a state by ISO 3166-2 as by the protocol: %s %s', (country, state, taken) => {
    const parsed = parse({ billing_address: { country, state } });
    expect(parsed.ok ? parsed.session.billing_address : parsed.issues).toEqual({ country, state: taken });
  });

  it.each(['Coffee\r\nand cake', 'Coffee\nand cake', 'Coffee\tand cake'])(
    'takes a description of several lines, and keeps it as it is signed: %j',
    (description) => {
      const parsed = parse({ order: { ...body.order, description } });
      expect(parsed.ok ? parsed.session.order.description : parsed.issues).toBe(description);
    },
  );

  it.each(['Coffee\u0000', 'Coffee\u001b[31m', 'Coffee\udc00', '\r\n\t'])(
    'refuses other controls: %j',
    (description) => {
      expect(issuesOf({ order: { ...body.order, description } })).toHaveLength(1);
    },
  );

  it('misses a required field that is empty', () => {
    const found = issuesOf({ operation: 'transfer', payee: { name: '' } });
    expect(found).toEqual(['payee.name: This value should not be blank.']);
  });

  it('says one thing of a currency that is not known, and two of a text that is no code', () => {
    const order = (currency: string) => ({ order: { ...body.order, currency } });
    expect(issuesOf(order('XYZ'))).toEqual(['order.currency: This value is not valid.']);
    expect(issuesOf(order('brl'))).toEqual(['order.currency: This value is not valid.']);
    expect(issuesOf(order('Dollar'))).toEqual([
      'order.amount: This value should be greater than 0.',
      'order.currency: This value is not valid.',
    ]);
  });
});
