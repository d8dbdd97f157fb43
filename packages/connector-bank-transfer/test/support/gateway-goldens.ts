import type { Golden } from '@railyard/conformance';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-bank-transfer/README.md, Gateway to banks';
const headers = { authorization: 'Token {settings.token}' };
const body = {
  transfer_id: 'bt_1',
  our_id: '{reference}',
  state: 'opened',
  amount: '25.00',
  currency: 'TRY',
  bank_page: 'https://bank.example/bt_1',
};
const { bank_page: _, ...opened } = body;
const opening = {
  method: 'POST',
  path: '/transfers',
  headers: { ...headers, 'x-request-key': '{key}' },
  body: {
    way: 'bank-code-tr',
    our_id: '{reference}',
    amount: '25.00',
    currency: 'TRY',
    description: 'Two books',
    payer: { orgCode: 'ZIRAAT', accountName: 'Ada Yilmaz', accountNumber: '1234567' },
    back_to: '{return_url}',
    report_to: '{notify_url}',
  },
};
const by = { method: 'bank-code-tr', flow: 'purchase' } as const;
const byCountry = { method: 'bank-redirect', flow: 'purchase', sample: 'Colombia' } as const;
const inColombia = {
  ...opening,
  body: {
    ...opening.body,
    way: 'bank-redirect',
    country: 'CO',
    currency: 'COP',
    payer: { bank: 'B-02', person_type: 'individual', document_type: 'CC', document_number: '1020304050' },
  },
};
const status = { method: 'bank-code-tr', flow: 'status' } as const;
const STATES = [
  ['opened', { status: 'pending' }],
  ['at_bank', { status: 'pending' }],
  ['done', { status: 'settled', amount: '25.00 TRY' }],
  ['refused', { status: 'declined', kind: 'soft' }],
  ['too_late', { status: 'declined', kind: 'soft' }],
  ['lapsed', { status: 'declined', kind: 'soft', code: 'expired' }],
  ['stopped', { status: 'declined', kind: 'soft' }],
] as const;

export const gatewayGoldens: readonly Golden[] = [
  {
    endpoint: 'open-transfer',
    source,
    when: 'the payer goes to the bank',
    by,
    request: opening,
    reply: { status: 201, body },
    outcome: {
      status: 'pending',
      providerReference: 'bt_1',
      show: { kind: 'redirect', url: body.bank_page, surface: 'page' },
    },
  },
  {
    endpoint: 'open-transfer',
    source,
    when: 'the bank is not known',
    by,
    request: opening,
    reply: { status: 422, body: { code: 'bank_not_known' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'bank_not_known' } },
  },
  {
    endpoint: 'open-code',
    source,
    when: 'the app of a bank reads a code',
    by: { method: 'qr-th', flow: 'purchase' },
    request: { ...opening, body: { ...opening.body, way: 'qr-th', currency: 'THB' } },
    reply: { status: 201, body: { ...opened, currency: 'THB', qr_text: '000201TH' } },
    outcome: { status: 'pending', show: { kind: 'qr', content: '000201TH' } },
  },
  {
    endpoint: 'open-prompt',
    source,
    when: 'the payer approves in the app of the bank',
    by: { method: 'bank-account', flow: 'purchase' },
    request: {
      ...opening,
      body: {
        ...opening.body,
        way: 'bank-account',
        currency: 'MYR',
        payer: { bank_code: 'AGRIFRPP', bank_account_number: '1234567890' },
      },
    },
    reply: { status: 201, body: { ...opened, currency: 'MYR', prompt: 'Approve it.' } },
    outcome: { status: 'pending', show: { kind: 'confirm-on-device', channel: 'app', message: 'Approve it.' } },
  },
  {
    endpoint: 'open-account',
    source,
    when: 'the payer is shown where to pay a deposit',
    by: { method: 'bank-deposit', flow: 'purchase' },
    request: {
      ...opening,
      body: {
        ...opening.body,
        way: 'bank-deposit',
        currency: 'BDT',
        payer: {
          BankName: 'Example Bank',
          BankCode: '0123',
          BranchName: 'Main street',
          BranchCode: '045',
          AccountNumber: '1234567',
        },
      },
    },
    reply: {
      status: 201,
      body: {
        ...opened,
        currency: 'BDT',
        pay_before: '2026-11-24T14:00:00+02:00',
        pay_to: { bank: 'Bank One', branch: 'Harbour', holder: 'Shop', number: '77-1', reference: 'R7' },
      },
    },
    outcome: {
      status: 'pending',
      providerReference: 'bt_1',
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
  ...STATES.map(([state, outcome]): Golden => ({
    endpoint: 'get-transfer',
    source,
    when: `the transfer is ${state}`,
    by: status,
    request: { method: 'GET', path: '/transfers/{provider_reference}', headers },
    reply: { status: 200, body: { ...body, transfer_id: '{provider_reference}', state } },
    outcome,
  })),
  {
    endpoint: 'find-transfer',
    source,
    when: 'the gateway never saw the request',
    by: status,
    request: { method: 'GET', path: '/transfers/ours/{reference}', headers },
    reply: { status: 404, body: { code: 'not_found' } },
    outcome: { status: 'unknown', provider: { code: 'not_found' } },
  },
  {
    endpoint: 'list-banks',
    source,
    when: 'the payer chooses the bank',
    by: { ...byCountry, sample: 'asked' },
    request: { method: 'GET', path: '/banks/CL', headers },
    reply: { status: 200, body: { banks: [{ code: 'B-01', name: 'Banco Uno' }] } },
  },
  {
    endpoint: 'list-banks',
    source,
    when: 'no bank of the country takes payments',
    by: { ...byCountry, sample: 'asked' },
    request: { method: 'GET', path: '/banks/CL', headers },
    reply: { status: 200, body: { banks: [] } },
    outcome: { status: 'declined', kind: 'soft', code: 'provider_unavailable' },
  },
  {
    endpoint: 'open-by-country',
    source,
    when: 'the payer goes to the bank of the country',
    by: byCountry,
    request: inColombia,
    reply: { status: 201, body: { ...body, currency: 'COP' } },
    outcome: { status: 'pending', show: { kind: 'redirect', url: body.bank_page, surface: 'page' } },
  },
  {
    endpoint: 'open-by-country',
    source,
    when: 'the document is not accepted',
    by: byCountry,
    request: inColombia,
    reply: { status: 422, body: { code: 'document_refused' } },
    outcome: { status: 'declined', kind: 'soft', code: 'document_not_accepted' },
  },
  {
    endpoint: 'open-by-country',
    source,
    when: 'the payer transfers to an account in Mexico',
    by: { ...byCountry, sample: 'Mexico' },
    request: {
      ...inColombia,
      body: {
        ...inColombia.body,
        country: 'MX',
        currency: 'MXN',
        payer: { document_type: 'CURP', document_number: 'BOXW310820HNERXN09' },
      },
    },
    reply: {
      status: 201,
      body: {
        ...opened,
        currency: 'MXN',
        pay_to: { bank: 'Banco Uno', holder: 'Shop', number: '032180000118359719', reference: '7' },
      },
    },
    outcome: {
      status: 'pending',
      show: {
        kind: 'payment-details',
        beneficiary: 'Shop',
        details: [
          { label: { en: 'Bank', pt: 'Banco' }, value: 'Banco Uno', copy: true },
          { label: { en: 'Account', pt: 'Conta' }, value: '032180000118359719', copy: true },
          { label: { en: 'Reference', pt: 'Referência' }, value: '7', copy: true },
        ],
      },
    },
  },
];
