import { createHmac } from 'node:crypto';
import { receiveNotification } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { sampleInvoice, samplePayoutUpdated, sampleSettled } from '../src/btcpay.samples.ts';
import { btcpayConnector as connector } from '../src/index.ts';
import { answer, sessionOf } from './support/sessions.ts';

const key = 'bitcoin-btcpay';
const secret = 'a-webhook-secret';
const settings = { base_url: 'https://api.example', api_key: 'key', store_id: 'store-1', webhook_secret: secret };

describe('a payout', () => {
  const payout = (address: string, currency = 'BTC') =>
    answer(
      sessionOf(
        key,
        { address },
        {
          operation: 'credit',
          payee: { name: 'Ada Lovelace' },
          order: { number: 'order-1', amount: '0.25', currency, description: 'Wages' },
        },
      ),
    );

  it('goes to an address of Bitcoin, whatever its form', () => {
    for (const address of ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'])
      expect(payout(address)).toEqual([]);
  });

  it.each(['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', ''])(
    'does not go to %s',
    (address) => {
      expect(payout(address)).toEqual([expect.stringContaining(`parameters.${key}.address`)]);
    },
  );

  it('is an amount of bitcoin', () => {
    const problems = payout('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'EUR');
    expect(problems).toEqual([expect.stringContaining('order.currency')]);
  });
});

describe('a webhook', () => {
  const receive = (body: object, by = secret) => {
    const text = JSON.stringify(body);
    const signature = `sha256=${createHmac('sha256', by).update(text).digest('hex')}`;
    const request = { body: text, headers: { 'btcpay-sig': signature } };
    return receiveNotification(connector, settings, request, Date.parse('2026-11-21T12:00:00Z'));
  };

  it('of an invoice says which one to look up, and settles nothing by itself', () => {
    expect(receive(sampleSettled)).toMatchObject({
      kind: 'events',
      proven: false,
      events: [
        { providerReference: sampleInvoice.id, merchantReference: sampleInvoice.metadata.orderId, kind: 'payment' },
      ],
    });
  });

  it('of a payout says which one to look up', () => {
    expect(receive(samplePayoutUpdated)).toMatchObject({
      events: [{ providerReference: samplePayoutUpdated.payoutId }],
    });
  });

  it('of anything else says nothing, and one that is signed otherwise is refused', () => {
    expect(receive({ type: 'PaymentRequestCreated', paymentRequestId: 'p-1' })).toMatchObject({ events: [] });
    expect(receive(sampleSettled, 'another-secret')).not.toMatchObject({ kind: 'events' });
  });
});
