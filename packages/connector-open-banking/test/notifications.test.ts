import { createHmac } from 'node:crypto';
import type { Connector } from '@railyard/core';
import { receiveNotification } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { gatewayConnector, initiationConnector } from '../src/index.ts';
import { NOW, OURS } from './support/exchange.ts';

const now = Date.parse(NOW);
const base_url = 'https://api.example';
const webhook_secret = 'a-notification-secret';
const hmac = (text: string, key = webhook_secret) => createHmac('sha256', key).update(text).digest('hex');
const take = (connector: Connector, settings: object, body: string, headers: Readonly<Record<string, string>>) =>
  receiveNotification(connector, settings, { body, headers }, now);

describe('the initiation provider', () => {
  const settings = { base_url, client_id: 'id', client_secret: 'secret', choose_bank: false, webhook_secret };
  const bodyOf = (more: object = {}) =>
    JSON.stringify({
      event_id: 'evt_1',
      payment: { id: 'pi_1', reference: OURS, status: 'ACSC', amount: '10.00', currency: 'GBP', ...more },
    });
  const received = (body: string, at = now / 1000, key = webhook_secret) =>
    take(initiationConnector, settings, body, {
      'x-timestamp': String(at),
      'x-signature': `sha256=${hmac(`${at}.${body}`, key)}`,
    });

  it('is believed with its signature over time and body', () => {
    expect(received(bodyOf())).toMatchObject({
      kind: 'events',
      proven: true,
      acknowledge: { status: 204 },
      events: [
        {
          id: 'evt_1',
          kind: 'payment',
          providerReference: 'pi_1',
          merchantReference: OURS,
          outcome: { status: 'settled', amount: { text: '10.00', currency: 'GBP' } },
        },
      ],
    });
  });

  it('reports the reason of a rejection, and nothing for an unknown word', () => {
    expect(received(bodyOf({ status: 'RJCT', status_reason: 'AC04' }))).toMatchObject({
      events: [{ outcome: { status: 'declined', kind: 'hard', reason: 'The account is closed.' } }],
    });
    expect(received(bodyOf({ status: 'XXXX' }))).toMatchObject({ events: [{ outcome: { status: 'unknown' } }] });
  });

  it('is not believed under another secret or after six minutes', () => {
    expect(received(bodyOf(), now / 1000, 'another-secret').kind).toBe('refused');
    expect(received(bodyOf(), now / 1000 - 360).kind).toBe('refused');
  });
});

describe('the gateway', () => {
  const settings = { base_url, merchant_id: 'shop-1', api_key: 'key', webhook_secret };
  const fields = { transaction_id: 'tr_1', merchant_reference: OURS, status: 'PAID', amount: '10.00', currency: 'EUR' };
  const bodyOf = (more: Readonly<Record<string, string>> = {}) =>
    new URLSearchParams({ ...fields, ...more }).toString();
  const received = (body: string, signature = hmac(body)) =>
    take(gatewayConnector, settings, body, { 'x-signature': signature });

  it('is believed with its signature over the form, byte for byte', () => {
    expect(received(bodyOf())).toMatchObject({
      kind: 'events',
      proven: true,
      acknowledge: { status: 200, body: 'OK' },
      events: [{ id: 'tr_1/PAID', providerReference: 'tr_1', merchantReference: OURS, outcome: { status: 'settled' } }],
    });
    expect(received(bodyOf({ amount: '1.00' }), hmac(bodyOf())).kind).toBe('refused');
    expect(received(bodyOf(), '').kind).toBe('refused');
  });

  it('is another event with another status', () => {
    expect(received(bodyOf({ status: 'CANCELLED' }))).toMatchObject({
      events: [{ id: 'tr_1/CANCELLED', outcome: { status: 'declined', kind: 'soft' } }],
    });
  });
});
