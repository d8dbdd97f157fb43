import { createSign } from 'node:crypto';
import type { Golden } from '@railyard/conformance';
import { partner } from './keys.ts';

/** Written from the README's tables, apart from the connector. */
const source = 'packages/connector-wallet/README.md, Signed deposits';

/** What the kit makes up. */
const OURS = '3d7f1c06-92ab-4c5e-b1d8-5a0e6f94c273';
const NOTIFY = 'https://pay.example/notify/m1';
const RETURN = 'https://pay.example/return/7b0c6a52';

const signatureOf = (text: string) => createSign('RSA-SHA256').update(text, 'utf8').sign(partner.privateKey, 'base64');

const body = {
  TransactionId: 'dep_1',
  PublicTransactionId: '{reference}',
  Amount: 25,
  CurrencyId: 978,
  Status: 'open',
  Url: 'https://wallet.example/dep_1',
};
const opening = {
  method: 'POST',
  path: '/deposits',
  body: {
    PartnerId: 'partner-eur',
    PublicTransactionId: '{reference}',
    PayerId: 'user-7781',
    FirstName: 'Ana Marija',
    LastName: 'Horvat',
    BirthDate: '1990-04-23',
    // The runtime writes 25.00, and what is signed has no zeros at its end.
    Amount: 25,
    CurrencyId: 978,
    PayType: 0,
    PayMethod: 2,
    CallbackUrl: '{notify_url}',
    ReturnUrl: '{return_url}',
    DeclineUrl: '{return_url}',
    CancelUrl: '{return_url}',
    Locale: 'hr-HR',
    WebApplicationService: 'web-1',
    Signature: signatureOf(
      `Amount=25&BirthDate=1990-04-23&CallbackUrl=${NOTIFY}&CancelUrl=${RETURN}&CurrencyId=978&DeclineUrl=${RETURN}` +
        `&FirstName=Ana Marija&LastName=Horvat&Locale=hr-HR&PartnerId=partner-eur&PayerId=user-7781&PayMethod=2&PayType=0` +
        `&PublicTransactionId=${OURS}&ReturnUrl=${RETURN}&WebApplicationService=web-1`,
    ),
  },
};
const asking = {
  method: 'POST',
  path: '/status',
  body: {
    PartnerId: 'partner-eur',
    PublicTransactionId: '{reference}',
    Signature: signatureOf(`PartnerId=partner-eur&PublicTransactionId=${OURS}`),
  },
};
const STATES = [
  ['open', { status: 'pending' }],
  ['paid', { status: 'settled', amount: '25.00 EUR' }],
  ['declined', { status: 'declined', kind: 'soft' }],
  ['cancelled', { status: 'declined', kind: 'soft', code: 'cancelled_by_payer' }],
  ['expired', { status: 'declined', kind: 'soft', code: 'expired' }],
] as const;

export const depositGoldens: readonly Golden[] = [
  {
    endpoint: 'create-deposit',
    source,
    when: 'the payer is sent to the wallet',
    request: opening,
    reply: { status: 201, body },
    outcome: {
      status: 'pending',
      providerReference: 'dep_1',
      show: { kind: 'redirect', url: 'https://wallet.example/dep_1', surface: 'page' },
    },
  },
  {
    endpoint: 'create-deposit',
    source,
    when: 'the request is refused',
    request: opening,
    reply: { status: 422, body: { Code: 'CURRENCY_NOT_ENABLED', Message: 'Not enabled.' } },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'CURRENCY_NOT_ENABLED' } },
  },
  {
    endpoint: 'create-deposit',
    source,
    when: 'our id was used before',
    request: opening,
    reply: { status: 409, body: { Code: 'TRANSACTION_EXISTS' } },
    outcome: { status: 'unknown' },
  },
  ...STATES.map(([Status, outcome]): Golden => ({
    endpoint: 'deposit-status',
    source,
    when: `a deposit that is ${Status} is looked up`,
    request: asking,
    reply: { status: 200, body: { ...body, TransactionId: '{provider_reference}', Status } },
    outcome,
  })),
  {
    endpoint: 'deposit-status',
    source,
    when: 'the transaction does not exist, and no notification has closed it',
    request: asking,
    reply: { status: 404, body: { Code: 'TRANSACTION_NOT_FOUND' } },
    outcome: { status: 'unknown', provider: { code: 'TRANSACTION_NOT_FOUND' } },
  },
];
