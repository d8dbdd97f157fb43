import { createHmac } from 'node:crypto';
import type { Connector } from '@railyard/core';
import { receiveNotification } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import { collectionConnector, instantConnector, payerIdConnector } from '../src/index.ts';
import { OURS } from './support/exchange.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const base_url = 'https://api.example';

const take = (
  connector: Connector,
  settings: object,
  body: string,
  headers: Readonly<Record<string, string>>,
  now = NOW,
) => receiveNotification(connector, settings, { body, headers }, now);

describe('the instant provider', () => {
  const settings = { base_url, api_key: 'key', webhook_secret: 'secret', cnpj_numeric_only: false };
  const bodyOf = (data: object = {}) =>
    JSON.stringify({
      event_id: 'evt_1',
      data: { id: 'qr_1', external_id: OURS, status: 'PAID', amount: '10.00', currency: 'BRL', ...data },
    });
  const signed = (body: string, key = 'secret', at = NOW / 1000) => ({
    'x-timestamp': String(at),
    'x-signature': `sha256=${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`,
  });
  const receive = (body: string, headers = signed(body), now = NOW) =>
    take(instantConnector, settings, body, headers, now);

  it('is believed with its signature', () => {
    expect(receive(bodyOf())).toMatchObject({
      kind: 'events',
      proven: true,
      acknowledge: { status: 204 },
      events: [
        {
          id: 'evt_1',
          kind: 'payment',
          providerReference: 'qr_1',
          merchantReference: OURS,
          outcome: { status: 'settled', amount: { text: '10.00' } },
        },
      ],
    });
  });

  it('reports the same event by the same id', () => {
    const ids = [receive(bodyOf()), receive(bodyOf())].map((each) =>
      each.kind === 'events' ? each.events[0]?.id : each.why,
    );
    expect(ids).toEqual(['evt_1', 'evt_1']);
  });

  it('reports another amount or currency as it is, for the one door to judge', () => {
    expect(receive(bodyOf({ amount: '9.99' }))).toMatchObject({ events: [{ outcome: { amount: { text: '9.99' } } }] });
    expect(receive(bodyOf({ currency: 'USD' }))).toMatchObject({
      events: [{ outcome: { amount: { currency: 'USD' } } }],
    });
  });

  it('with an unknown word reports an unknown outcome', () => {
    expect(receive(bodyOf({ status: 'FROZEN' }))).toMatchObject({ events: [{ outcome: { status: 'unknown' } }] });
  });

  it.each([
    ['without a signature', { 'x-timestamp': String(NOW / 1000) }],
    ['signed with another key', signed(bodyOf(), 'other')],
    ['with the signature of another body', signed(bodyOf({ amount: '1.00' }))],
    ['with another time than was signed', { ...signed(bodyOf()), 'x-timestamp': String(NOW / 1000 + 1) }],
    ['with an empty signature', { ...signed(bodyOf()), 'x-signature': '' }],
  ])('is refused %s', (_what, headers) => {
    expect(take(instantConnector, settings, bodyOf(), headers)).toMatchObject({ kind: 'refused', why: 'signature' });
  });

  it('is refused a day later', () => {
    expect(receive(bodyOf(), signed(bodyOf()), NOW + 86_400_000)).toMatchObject({ kind: 'refused', why: 'stale' });
  });

  it.each([
    '{}',
    'null',
    '[]',
    '{"event_id":"e","data":{"id":"qr_1"}}',
    bodyOf({ amount: '10.001' }),
    bodyOf({ currency: 'QQQ' }),
  ])('that is signed but not understood is kept for an operator: %s', (body) => {
    expect(receive(body)).toMatchObject({ kind: 'events', events: [], genuine: true, unread: [expect.any(String)] });
  });
});

describe('the collection provider', () => {
  const settings = { base_url, api_key: 'key', expiry_hours: 24 };

  it('is not believed: its notification only says where to look', () => {
    const body = `{"id":"col-1","reference":"${OURS}","status":"PAID","amount":10.10,"currency":"BRL"}`;
    expect(take(collectionConnector, settings, body, {})).toMatchObject({
      kind: 'events',
      proven: false,
      events: [
        {
          id: 'col-1/PAID',
          providerReference: 'col-1',
          merchantReference: OURS,
          outcome: { amount: { text: '10.10' } },
        },
      ],
    });
  });
});

describe('the provider that wants the payer’s document', () => {
  const settings = { base_url, client_id: 'c', client_secret: 's', notification_token: 'a-token-of-twenty-c' };
  const body = JSON.stringify({
    event_id: 'n-1',
    payment: { id: 'pay_1', reference: OURS, status: 'approved', amount: 1000, currency: 'BRL' },
  });

  it('is believed with its token', () => {
    expect(take(payerIdConnector, settings, body, { 'x-notification-token': 'a-token-of-twenty-c' })).toMatchObject({
      kind: 'events',
      proven: true,
      acknowledge: { status: 200, body: 'ok' },
      events: [
        {
          id: 'n-1',
          providerReference: 'pay_1',
          merchantReference: OURS,
          outcome: { status: 'settled', amount: { text: '10.00' } },
        },
      ],
    });
  });

  it.each(['', 'a-token-of-twenty-x'])('is refused with the token "%s"', (token) => {
    expect(take(payerIdConnector, settings, body, { 'x-notification-token': token })).toMatchObject({
      why: 'signature',
    });
  });
});
