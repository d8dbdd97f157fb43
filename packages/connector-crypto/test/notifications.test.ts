import { createHmac } from 'node:crypto';
import { receiveNotification } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { addressesConnector, gatewayConnector } from '../src/index.ts';
import { OURS } from './support/exchange.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const base_url = 'https://api.example';
const secret = 'a-notification-secret';

describe('the address provider', () => {
  const settings = { base_url, api_key: 'key', webhook_secret: secret, confirmations: 2 };
  const deposit = {
    txid: 'f4184fc5',
    output: 1,
    status: 'confirmed',
    confirmations: 2,
    asset: 'BTC',
    amount: '0.10000000',
    value: { amount: '0.10000000', currency: 'BTC' },
  };
  const bodyOf = (...deposits: object[]) =>
    JSON.stringify({
      address: {
        id: 'adr_1',
        reference: OURS,
        address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
        asset: 'BTC',
        network: 'bitcoin',
      },
      deposits,
    });
  const receive = (body: string, key = secret, at = NOW, signed = body) => {
    const time = String(Math.floor(at / 1000));
    const mac = createHmac('sha256', key).update(`${time}.${signed}`).digest('hex');
    const headers = { 'x-timestamp': time, 'x-signature': `sha256=${mac}` };
    return receiveNotification(addressesConnector, settings, { body, headers }, NOW);
  };

  it('reports each output of a transaction, with our reference', () => {
    expect(
      receive(bodyOf(deposit, { ...deposit, output: 3, value: { amount: '0.2', currency: 'BTC' } })),
    ).toMatchObject({
      kind: 'events',
      acknowledge: { status: 204 },
      events: [
        { id: 'f4184fc5:1', kind: 'deposit', providerReference: 'adr_1', merchantReference: OURS, confirmed: true },
        { id: 'f4184fc5:3', amount: { text: '0.20000000', currency: 'BTC' } },
      ],
    });
  });

  it.each([
    ['signed with another key', () => receive(bodyOf(deposit), 'another-secret')],
    ['of another body', () => receive(bodyOf({ ...deposit, output: 9 }), secret, NOW, bodyOf(deposit))],
    ['of six minutes ago', () => receive(bodyOf(deposit), secret, NOW - 360_000)],
  ])('is refused %s', (_what, refused) => {
    expect(refused()).toMatchObject({ kind: 'refused' });
  });

  it.each([
    bodyOf(),
    bodyOf({ ...deposit, value: { amount: '0.123456789', currency: 'BTC' } }),
    bodyOf({ ...deposit, output: -1 }),
    bodyOf({ ...deposit, txid: '' }),
    '{}',
  ])('that is signed and not understood is kept for an operator: %.60s', (body) => {
    expect(receive(body)).toMatchObject({ kind: 'events', events: [], genuine: true, unread: [expect.any(String)] });
  });
});

describe('the gateway', () => {
  const settings = { base_url, merchant_id: 'm-1', api_key: 'key', webhook_secret: secret };
  const body = JSON.stringify({
    event: 'ev_1',
    transaction: { id: 'txn_1', reference: OURS, status: 'COMPLETED', amount: 100.5, currency: 'USD' },
  });
  const receive = (key: string) =>
    receiveNotification(
      gatewayConnector,
      settings,
      { body, headers: { 'x-gateway-signature': createHmac('sha512', key).update(body).digest('hex') } },
      NOW,
    );

  it('is believed with its signature', () => {
    expect(receive(secret)).toMatchObject({
      events: [
        {
          id: 'ev_1',
          merchantReference: OURS,
          outcome: { status: 'settled', amount: { text: '100.50', currency: 'USD' } },
        },
      ],
    });
    expect(receive('another-secret')).toMatchObject({ kind: 'refused' });
  });
});
