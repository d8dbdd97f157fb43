import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-bank-transfer/README.md, Provider of deposits';
const headers = { 'x-api-key': '{settings.api_key}' };
const body = {
  deposit: 'dp-1',
  order: '{reference}',
  status: 'expected',
  amount: '25.00',
  currency: 'BDT',
  pay_before: '2026-11-24T14:00:00+02:00',
  pay_to: { bank: 'Bank One', branch: 'Harbour', holder: 'Shop', number: '77-1', reference: 'R7' },
};
const opening = {
  method: 'POST',
  path: '/deposits',
  headers: { ...headers, 'idempotency-key': '{key}' },
  body: {
    order: '{reference}',
    amount: '25.00',
    currency: 'BDT',
    description: 'Two books',
    BankName: 'Example Bank',
    BankCode: '0123',
    BranchName: 'Main street',
    BranchCode: '045',
    AccountNumber: '1234567',
    report_to: '{notify_url}',
  },
};
const by = { method: 'bank-deposit', flow: 'purchase' } as const;
const looked = { method: 'bank-deposit', flow: 'status' } as const;
const STATUSES = [
  ['expected', { status: 'pending' }],
  ['seen', { status: 'pending' }],
  ['credited', { status: 'settled', amount: '25.00 BDT' }],
  ['returned', { status: 'declined', kind: 'hard' }],
  ['expired', { status: 'declined', kind: 'soft' }],
] as const;

export const depositGoldens: readonly Golden[] = [
  {
    endpoint: 'open-deposit',
    source,
    when: 'the payer is shown where to pay',
    by,
    request: opening,
    reply: { status: 201, body },
    outcome: {
      status: 'pending',
      providerReference: 'dp-1',
      payableUntil: '2026-11-24T12:00:00.000Z',
      show: {
        kind: 'payment-details',
        beneficiary: 'Shop',
        details: [
          { label: { en: 'Bank', pt: 'Banco' }, value: 'Bank One', copy: true },
          { label: { en: 'Branch', pt: 'Agência' }, value: 'Harbour', copy: true },
          { label: { en: 'Account', pt: 'Conta' }, value: '77-1', copy: true },
          { label: { en: 'Reference', pt: 'Referência' }, value: 'R7', copy: true },
        ],
      },
    },
  },
  {
    endpoint: 'open-deposit',
    source,
    when: 'the branch is not known',
    by,
    request: opening,
    reply: { status: 422, body: { code: 'branch_not_known' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'branch_not_known' } },
  },
  ...STATUSES.map(([word, outcome]): Golden => ({
    endpoint: 'get-deposit',
    source,
    when: `the deposit is ${word}`,
    by: looked,
    request: { method: 'GET', path: '/deposits/{provider_reference}', headers },
    reply: { status: 200, body: { ...body, deposit: '{provider_reference}', status: word } },
    outcome,
  })),
  {
    endpoint: 'find-deposit',
    source,
    when: 'the provider never saw the request',
    by: looked,
    request: { method: 'GET', path: '/deposits/by-order/{reference}', headers },
    reply: { status: 404, body: { code: 'deposit_not_known' } },
    outcome: { status: 'unknown', provider: { code: 'deposit_not_known' } },
  },
];
