import type { Golden } from '@railyard/conformance';

const source = 'the provider’s manual, chapter 2';
const read = { authorization: 'Bearer {settings.api_key}' };
const keyed = { ...read, 'idempotency-key': '{key}' };
const code = { id: 'c-1', our_id: '{reference}', state: 'waiting', total: '25.00', code: '00020101021226PIX' };
const moneyBack = { id: 'r-1', our_id: '{modification}', state: 'returned', total: '25.00' };

/** Exchanges as the provider documents them, written apart from the connector. */
export const goldens: readonly Golden[] = [
  {
    endpoint: 'create-code',
    source,
    when: 'a payer is to pay a code',
    request: {
      method: 'POST',
      path: '/codes',
      headers: keyed,
      body: {
        our_id: '{reference}',
        total: '25.00',
        currency: 'BRL',
        payer_document: '52998224725',
        hook: '{notify_url}',
      },
    },
    reply: { status: 201, body: code },
    outcome: { status: 'pending', providerReference: 'c-1', show: { kind: 'qr', content: code.code } },
  },
  {
    endpoint: 'find-code',
    source,
    when: 'a code is looked up',
    request: { method: 'GET', path: '/codes/{reference}', headers: read },
    reply: { status: 200, body: { ...code, state: 'paid' } },
    outcome: { status: 'settled', amount: '25.00 BRL' },
  },
  {
    endpoint: 'create-return',
    source,
    when: 'what was paid is given back',
    request: {
      method: 'POST',
      path: '/codes/{provider_reference}/returns',
      headers: keyed,
      body: { our_id: '{modification}', total: '25.00' },
    },
    reply: { status: 201, body: moneyBack },
    outcome: { status: 'settled', providerReference: 'r-1' },
  },
  {
    endpoint: 'find-return',
    source,
    when: 'the reply to a refund was lost',
    request: { method: 'GET', path: '/returns/{modification}', headers: read },
    reply: { status: 200, body: moneyBack },
    outcome: { status: 'settled', providerReference: 'r-1' },
  },
];
