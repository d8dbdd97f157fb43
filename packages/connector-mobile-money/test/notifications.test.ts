import { createHmac } from 'node:crypto';
import type { Connector } from '@railyard/core';
import { receiveNotification } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { hubConnector, narrativeConnector, promptConnector } from '../src/index.ts';
import { OURS } from './support/exchange.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const base_url = 'https://api.example';
const secret = 'a-notification-secret';
const hmac = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('hex');
const take = (connector: Connector, settings: object, body: string, headers: Readonly<Record<string, string>>) =>
  receiveNotification(connector, settings, { body, headers }, NOW);

describe('the hub', () => {
  const settings = { base_url, api_key: 'key', webhook_secret: secret, merchant_bears_fees: false };
  const dataOf = (more: object = {}) => ({
    reference: 'chg_1',
    payment_reference: OURS,
    status: 'success',
    amount: 100.5,
    currency: 'KES',
    ...more,
  });
  const receive = (body: string, signature: string) => take(hubConnector, settings, body, { 'x-signature': signature });
  const signed = (data: object) =>
    receive(JSON.stringify({ event: 'charge.success', data }), hmac(JSON.stringify(data)));

  it('is believed with the signature of the JSON of data', () => {
    expect(signed(dataOf())).toMatchObject({
      kind: 'events',
      proven: true,
      acknowledge: { status: 200 },
      events: [
        {
          id: 'chg_1/success',
          kind: 'payment',
          providerReference: 'chg_1',
          merchantReference: OURS,
          outcome: { status: 'settled', amount: { text: '100.50', currency: 'KES' } },
        },
      ],
    });
  });

  it('reports a payout as it reports a charge, with its reason', () => {
    const failed = signed(dataOf({ reference: 'out_1', status: 'failed', failure_code: 'unknown_subscriber' }));
    expect(failed).toMatchObject({ events: [{ outcome: { status: 'declined', kind: 'hard' } }] });
  });

  it.each(['timed_out', 'frozen'])('with the word %s decides nothing: the payment is looked up', (status) => {
    expect(signed(dataOf({ status }))).toMatchObject({ events: [{ outcome: { status: 'unknown' } }] });
  });

  it('is read from the status in data, not by the event’s name, which is not signed', () => {
    const data = JSON.stringify(dataOf({ status: 'failed' }));
    expect(receive(`{"event":"charge.success","data":${data}}`, hmac(data))).toMatchObject({
      events: [{ outcome: { status: 'declined' } }],
    });
  });

  const data = JSON.stringify(dataOf());
  const paid = JSON.stringify(dataOf({ amount: 9999 }));

  it.each([
    ['without a signature', `{"event":"a","data":${data}}`, ''],
    ['signed with another key', `{"event":"a","data":${data}}`, hmac(data, 'another-secret')],
    ['with other data', `{"event":"a","data":${paid}}`, hmac(data)],
    ['with its data twice', `{"event":"a","data":${data},"data":${paid}}`, hmac(data)],
    ['with a field before its data', `{"event":"a","x":1,"data":${data}}`, hmac(data)],
    ['with a field after its data', `{"event":"a","data":${data},"x":1}`, hmac(data)],
    ['with white space after it', `{"event":"a","data":${data}} `, hmac(data)],
    ['that is its data alone', data, hmac(data)],
  ])('is refused %s', (_what, body, signature) => {
    expect(receive(body, signature)).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  it.each([{ amount: '1.001' }, { currency: 'QQQ' }, { reference: '' }, { payment_reference: undefined }])(
    'that is signed and not understood is kept for an operator: %j',
    (more) => {
      expect(signed(dataOf(more))).toMatchObject({
        kind: 'events',
        events: [],
        genuine: true,
        unread: [expect.any(String)],
      });
    },
  );
});

describe('the prompt provider', () => {
  const settings = { base_url, api_key: 'key', webhook_secret: secret };
  const body = JSON.stringify({
    event_id: 'evt_1',
    request: { id: 'req_1', reference: OURS, status: 'confirmed', amount: '1000', currency: 'XOF' },
  });
  const at = String(NOW / 1000);

  it('is believed with its signature', () => {
    const headers = { 'x-timestamp': at, 'x-signature': `sha256=${hmac(`${at}.${body}`)}` };
    expect(take(promptConnector, settings, body, headers)).toMatchObject({
      proven: true,
      acknowledge: { status: 204 },
      events: [{ id: 'evt_1', providerReference: 'req_1', merchantReference: OURS, outcome: { status: 'settled' } }],
    });
  });

  it('is refused with another', () => {
    const headers = { 'x-timestamp': at, 'x-signature': `sha256=${hmac(body)}` };
    expect(take(promptConnector, settings, body, headers)).toMatchObject({ why: 'signature' });
  });
});

describe('the narrative provider', () => {
  it('is not believed: its notification only says where to look', () => {
    const settings = { base_url, username: 'shop', password: 'p' };
    const body = `transaction_reference=T1&external_reference=${OURS}&status=SUCCEEDED&amount=5000&currency=UGX`;
    expect(take(narrativeConnector, settings, body, {})).toMatchObject({
      proven: false,
      events: [
        {
          id: 'T1/SUCCEEDED',
          providerReference: 'T1',
          merchantReference: OURS,
          outcome: { amount: { text: '5000.00' } },
        },
      ],
    });
  });
});
