import { describe, expect, it } from 'vitest';
import { sampleChallenge, samplePage } from '../src/gateway.samples.ts';
import { walletGatewayConnector as connector } from '../src/index.ts';
import { edgesOf } from './support/edges.ts';
import { exchange, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
import { answer, sessionOf } from './support/sessions.ts';

const key = 'wallet-payin';
const good = {
  key,
  parameters: {},
  session: {
    order: { number: 'order-1', amount: '10.00', currency: 'EUR', description: 'Two books' },
    customer: { name: 'Ana Horvat', email: 'ana@example.com' },
    billing_address: { phone: '+385911234567', country: 'HR', address: 'Ilica 1', city: 'Zagreb', zip: '10000' },
  },
};
const settings = { api_token: 'the-token', notification_key: 'a-key-that-signs-them' };
const session = (more: object = {}) => sessionOf(key, {}, { ...good.session, ...more });
const long = (length: number) => 'x'.repeat(length);

describe('what a session may send', () => {
  // Absent: the payer is asked.
  edgesOf(good, [
    ['parameters.surprise', [], ['x']],
    [
      'customer.name',
      [undefined, 'A B', `${'A'.repeat(100)} ${'B'.repeat(99)}`],
      ['Ana', 'A ', `${'A'.repeat(100)} ${'B'.repeat(100)}`, 7],
    ],
    ['customer.email', [undefined, 'a@b.hr'], ['ana', 'ana@', 7]],
    ['billing_address.phone', [undefined, '1', '1'.repeat(32), '091/123'], ['1'.repeat(33), 7]],
    ['billing_address.country', [undefined, 'SE'], ['hr', 'XX', 'HRV', 7]],
    ['billing_address.address', [undefined, 'AB', long(255)], ['A', long(256), 7]],
    ['billing_address.city', [undefined, 'AB', long(40)], ['A', long(41), 7]],
    ['billing_address.zip', [undefined, '10', long(10)], ['1', long(11), 7]],
  ]);

  it('is for purchases alone, in any currency', () => {
    for (const operation of ['debit', 'transfer'])
      expect(answer(session({ operation, payee: { name: 'Ana Torres' } }))).toContainEqual(
        expect.stringContaining('methods: '),
      );
    expect(answer(session({ order: { ...good.session.order, amount: '1000', currency: 'JPY' } }))).toEqual([]);
  });
});

function buying(script: Script) {
  return exchange({ connector, key, flow: 'purchase', payment: paymentOf(session(), key), settings }, script);
}

describe('a purchase', () => {
  it('gets a challenge first, and opens the payment with it', async () => {
    const made = buying([
      [200, sampleChallenge],
      [201, samplePage],
    ]);
    expect(outcomeOf(await made.drive())).toMatchObject({ status: 'pending', show: { kind: 'redirect' } });
    expect(made.lines()).toEqual(['POST /challenges', 'POST /payments']);
    expect(made.body(0)).toEqual({ our_id: OURS, amount: '10.00', currency: 'EUR' });
    expect(made.body(1)).toMatchObject({ challenge_id: sampleChallenge.challenge_id, our_id: OURS });
  });

  it('asks for another challenge where the reply with the first was lost', async () => {
    const made = buying(['lost', [200, { challenge_id: 'ch_2' }], [201, samplePage]]);
    await made.drive();
    await made.drive();
    expect(made.lines()).toEqual(['POST /challenges', 'POST /challenges', 'POST /payments']);
    expect(made.body(2)).toMatchObject({ challenge_id: 'ch_2' });
  });

  it('keeps its challenge and its key where the reply with the payment was lost', async () => {
    const made = buying([[200, sampleChallenge], 'lost', [201, samplePage]]);
    await made.drive();
    await made.drive();
    expect(made.lines()).toEqual(['POST /challenges', 'POST /payments', 'POST /payments']);
    expect(made.body(2)).toEqual(made.body(1));
    expect(made.asked[2]?.headers['x-once']).toBe(made.asked[1]?.headers['x-once']);
  });
});
