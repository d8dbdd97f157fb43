import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-wallet/README.md, Payouts by a link';
const headers = { authorization: 'Bearer {settings.api_key}' };
const body = { payout_id: 'lp_1', reference: '{reference}', status: 'sent', amount: 25, currency: 'CAD' };
const sending = {
  endpoint: 'send-payout',
  source,
  request: {
    method: 'POST',
    path: '/payouts',
    headers,
    // As bytes, because the digits of the amount count.
    body:
      '{"account_uuid":"{settings.account_uuid}","fee_calculation":"account_level","reference":"{reference}",' +
      '"description":"Two books","payer":{"name":"Ana Horvat","email":"ana@example.com"},' +
      '"security":{"question":"Where did we meet first?","answer":"At the sea"},' +
      '"notify_url":"{notify_url}","amount":25.00,"currency":"CAD"}',
  },
};
const STATES = [
  ['sent', { status: 'pending' }],
  ['taken', { status: 'settled', amount: '25.00 CAD' }],
  ['rejected', { status: 'declined', kind: 'hard' }],
  ['locked', { status: 'declined', kind: 'hard', code: 'authentication_failed' }],
  ['not_taken', { status: 'declined', kind: 'soft', code: 'expired' }],
  ['cancelled', { status: 'declined', kind: 'hard', code: 'cancelled' }],
] as const;

export const linkPayoutGoldens: readonly Golden[] = [
  {
    ...sending,
    when: 'the link is sent',
    reply: { status: 201, body },
    outcome: { status: 'pending', providerReference: 'lp_1' },
  },
  {
    ...sending,
    when: 'the account is empty',
    reply: { status: 402, body: { code: 'balance_too_low' } },
    outcome: { status: 'declined', kind: 'soft', code: 'insufficient_funds' },
  },
  {
    ...sending,
    when: 'the fees are calculated otherwise',
    reply: { status: 422, body: { code: 'fee_method_not_allowed' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'fee_method_not_allowed' } },
  },
  {
    ...sending,
    when: 'our reference was used before',
    reply: { status: 409, body: { code: 'reference_used' } },
    outcome: { status: 'unknown' },
  },
  ...STATES.map(([status, outcome]): Golden => ({
    endpoint: 'get-payout',
    source,
    when: `a payout that is ${status} is looked up`,
    request: { method: 'GET', path: '/payouts/{provider_reference}', headers },
    reply: { status: 200, body: { ...body, payout_id: '{provider_reference}', status } },
    outcome,
  })),
  {
    endpoint: 'find-payout',
    source,
    when: 'the provider never saw the request',
    request: { method: 'GET', path: '/payouts/by-reference/{reference}', headers },
    reply: { status: 404, body: { code: 'not_found' } },
    outcome: { status: 'unknown', provider: { code: 'not_found' } },
  },
];
