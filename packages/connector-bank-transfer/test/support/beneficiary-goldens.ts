import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-bank-transfer/README.md, Gateway to banks';
const headers = { authorization: 'Token {settings.token}', 'x-request-key': '{key}' };
const body = { transfer_id: 'bt_1', our_id: '{reference}', state: 'opened', amount: '25.00', currency: 'EUR' };
const by = { method: 'bank-beneficiary', flow: 'purchase', sample: 'code at the end' } as const;
const everyStage = { ...by, sample: 'code at every stage' } as const;
const at = (path: string) => ({ method: 'POST', path: `/transfers/bt_1${path}`, headers });
const opening = {
  method: 'POST',
  path: '/transfers',
  headers,
  body: {
    way: 'bank-beneficiary',
    our_id: '{reference}',
    amount: '25.00',
    currency: 'EUR',
    description: 'Two books',
    back_to: '{return_url}',
    report_to: '{notify_url}',
  },
};
/** The steps in their order: of each endpoint its first exchange leads on to the next step. */
export const beneficiaryGoldens: readonly Golden[] = [
  {
    endpoint: 'open-in-steps',
    source,
    when: 'the payer names the beneficiary',
    by,
    request: opening,
    reply: { status: 201, body: { ...body, next: { kind: 'beneficiary' } } },
  },
  {
    endpoint: 'open-in-steps',
    source,
    when: 'the bank wants a code at once',
    by: everyStage,
    request: { ...opening, body: { ...opening.body, description: 'Two books, code at every stage' } },
    reply: { status: 201, body: { ...body, next: { kind: 'code', challenge: 'start' } } },
  },
  {
    endpoint: 'open-in-steps',
    source,
    when: 'the bank wants nothing of the payer',
    by,
    request: opening,
    reply: { status: 201, body: { ...body, state: 'at_bank' } },
    outcome: { status: 'pending', providerReference: 'bt_1' },
  },
  {
    endpoint: 'open-in-steps',
    source,
    when: 'the request is refused',
    by,
    request: opening,
    reply: { status: 422, body: { code: 'merchant_blocked' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'merchant_blocked' } },
  },
  {
    endpoint: 'give-beneficiary',
    source,
    when: 'the payer chooses an account',
    by,
    request: { ...at('/beneficiary'), body: { name: 'Example Shop', account: '1234567890' } },
    reply: {
      status: 200,
      body: { ...body, next: { kind: 'account', accounts: [{ id: 'acc-2', name: 'Savings account' }] } },
    },
  },
  {
    endpoint: 'choose-account',
    source,
    when: 'the bank wants a code at last',
    by,
    request: { ...at('/account'), body: { account: 'acc-2' } },
    reply: { status: 200, body: { ...body, next: { kind: 'code', challenge: 'account' } } },
  },
  {
    endpoint: 'choose-account',
    source,
    when: 'the bank wants no code',
    by,
    request: { ...at('/account'), body: { account: 'acc-2' } },
    reply: { status: 200, body: { ...body, state: 'at_bank' } },
    outcome: { status: 'pending' },
  },
  {
    endpoint: 'confirm-code',
    source,
    when: 'the code is right',
    by,
    request: { ...at('/code'), body: { challenge: 'account', otp: '123456' } },
    reply: { status: 200, body: { ...body, state: 'done' } },
    outcome: { status: 'settled', amount: '25.00 EUR' },
  },
  {
    endpoint: 'confirm-code',
    source,
    when: 'too many codes were wrong',
    by,
    request: { ...at('/code'), body: { challenge: 'account', otp: '123456' } },
    reply: { status: 422, body: { code: 'locked' } },
    outcome: { status: 'declined', kind: 'soft', code: 'authentication_failed' },
  },
  {
    endpoint: 'resend-code',
    source,
    when: 'another code is sent',
    by: everyStage,
    request: { ...at('/code/resend'), body: { challenge: 'start' } },
    reply: { status: 202, body: {} },
  },
];
