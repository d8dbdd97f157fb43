import { describe, expect, it } from 'vitest';
import { walletPayinConnector as connector } from '../src/index.ts';
import { sampleChallenge, sampleSpent, sampleTransaction } from '../src/payin.samples.ts';
import { edgesOf } from './support/edges.ts';
import { exchange, lookedUp, OURS, outcomeOf, paymentOf, type Script } from './support/exchange.ts';
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
const settings = { terminal_key: 'the-key', webhook_secret: 'a-secret-that-signs' };
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
  it('gets a challenge first, and makes the transaction with it', async () => {
    const made = buying([
      [200, sampleChallenge],
      [201, sampleTransaction],
    ]);
    expect(outcomeOf(await made.drive())).toMatchObject({ status: 'pending', show: { kind: 'redirect' } });
    expect(made.lines()).toEqual(['POST /challenges', 'POST /transactions']);
    expect(made.body(0)).toEqual({ merchant_reference: OURS, amount: '10.00', currency: 'EUR' });
    expect(made.body(1)).toMatchObject({ challenge_id: sampleChallenge.challenge_id, merchant_reference: OURS });
  });

  it('asks for another challenge where the reply with the first was lost', async () => {
    const made = buying(['lost', [200, { challenge_id: 'ch_2' }], [201, sampleTransaction]]);
    await made.drive();
    await made.drive();
    expect(made.lines()).toEqual(['POST /challenges', 'POST /challenges', 'POST /transactions']);
    expect(made.body(2)).toMatchObject({ challenge_id: 'ch_2' });
  });

  it('keeps its challenge and its key where the reply with the transaction was lost', async () => {
    const made = buying([[200, sampleChallenge], 'lost', [201, sampleTransaction]]);
    await made.drive();
    await made.drive();
    expect(made.lines()).toEqual(['POST /challenges', 'POST /transactions', 'POST /transactions']);
    expect(made.body(2)).toEqual(made.body(1));
    expect(made.asked[2]?.headers['request-key']).toBe(made.asked[1]?.headers['request-key']);
  });

  it('whose challenge is too old can be tried again', async () => {
    const made = buying([
      [200, sampleChallenge],
      [422, sampleSpent],
    ]);
    expect(outcomeOf(await made.drive())).toMatchObject({ status: 'declined', kind: 'soft', code: 'timed_out' });
  });
});

describe('a lookup', () => {
  const look = (reference: string | undefined, body: object) =>
    exchange({ connector, key, flow: 'status', payment: lookedUp(session(), key, reference), settings }, [[200, body]]);

  it('sends the payer to the wallet where the reply that did it was lost, and nowhere else', async () => {
    const lost = look(undefined, sampleTransaction);
    expect(outcomeOf(await lost.drive())).toMatchObject({ show: { kind: 'redirect' } });
    expect(lost.lines()).toEqual([`GET /transactions/by-reference/${OURS}`]);
    expect(outcomeOf(await look('tx_81c0', sampleTransaction).drive())).not.toHaveProperty('show');
  });

  it('of another transaction settles nothing', async () => {
    const other = { ...sampleTransaction, transaction_id: 'tx_0', state: 'accepted' };
    expect(outcomeOf(await look('tx_81c0', other).drive())).toMatchObject({ status: 'unknown' });
  });
});
