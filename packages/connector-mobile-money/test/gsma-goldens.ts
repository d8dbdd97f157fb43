import type { Golden } from '@railyard/conformance';

/** Written from the official description, apart from the connector: its schemas. */
const source = 'https://github.com/gsmainclusivetechlab, Mobile Money API 1.2.0: ';
/** The path of the token and how it is asked for, which the description lacks. */
const CLIENT = 'https://github.com/gsmainclusivetechlab/mmapi-nodejs-sdk, lib/core/obtainAnAccessTokenRequest.js';
const headers = { authorization: 'Bearer example-token', 'x-api-key': '{settings.apiKey}' };
const SERVER = '66b3e91a-1d36-41a6-8f4a-833ef1f9d125';
const state = (status: string, more: object = {}) => ({
  serverCorrelationId: SERVER,
  status,
  notificationMethod: 'polling',
  ...more,
});
const msisdn = [{ key: 'msisdn', value: '+254712345678' }];
const merchant = [{ key: 'accountid', value: '2999' }];
const transaction = {
  transactionReference: 'REF-1620133857481',
  requestingOrganisationTransactionReference: '{reference}',
  creditParty: merchant,
  debitParty: msisdn,
  type: 'merchantpay',
  transactionStatus: 'completed',
  amount: '25',
  currency: 'KES',
};
const body = {
  requestingOrganisationTransactionReference: '{reference}',
  amount: '25',
  currency: 'KES',
  descriptionText: 'Two books',
};
const correlated = { ...headers, 'x-correlationid': '{reference}', 'x-callback-url': '{notify_url}/{reference}' };
const absent = { errorCategory: 'identification', errorCode: 'identifierError' };

export const gsmaGoldens: readonly Golden[] = [
  {
    endpoint: 'create-transaction',
    by: { flow: 'purchase' },
    source: `${source}POST /transactions/type/{transactionType}, requestTransactionType, requestStateObject`,
    when: 'a payer is asked to confirm',
    request: {
      method: 'POST',
      path: '/transactions/type/merchantpay',
      headers: correlated,
      body: { ...body, debitParty: msisdn, creditParty: merchant },
    },
    reply: { status: 202, body: state('pending', { expiryTime: '2026-11-21T12:02:00Z' }) },
    outcome: {
      status: 'pending',
      show: {
        kind: 'confirm-on-device',
        channel: 'stk',
        number: '+254 •••••-5678',
        validUntil: '2026-11-21T12:02:00.000Z',
      },
    },
  },
  {
    endpoint: 'create-transaction',
    by: { flow: 'credit' },
    source: `${source}POST /transactions/type/{transactionType}, responseTransactionType`,
    when: 'money goes to a phone at once',
    request: {
      method: 'POST',
      path: '/transactions/type/disbursement',
      headers: correlated,
      body: { ...body, debitParty: merchant, creditParty: msisdn },
    },
    reply: { status: 201, body: { ...transaction, type: 'disbursement', creditParty: msisdn, debitParty: merchant } },
    outcome: { status: 'settled', amount: '25.00 KES' },
  },
  {
    endpoint: 'create-transaction',
    by: { flow: 'purchase' },
    source: `${source}POST /transactions/type/{transactionType}, errorObject`,
    when: 'a limit is reached',
    request: {
      method: 'POST',
      path: '/transactions/type/merchantpay',
      headers: correlated,
      body: { ...body, debitParty: msisdn, creditParty: merchant },
    },
    reply: { status: 400, body: { errorCategory: 'businessRule', errorCode: 'dailyValueLimitExceeded' } },
    outcome: { status: 'declined', kind: 'soft', provider: { code: 'dailyValueLimitExceeded' } },
  },
  {
    endpoint: 'authenticate',
    source: `${CLIENT}; RFC 6749, 2.3.1, 4.4.2 and 5.1`,
    when: 'a token is fetched',
    request: {
      method: 'POST',
      path: '/accesstoken',
      headers: { authorization: 'Basic {base64:{settings.consumerKey}:{settings.consumerSecret}}' },
      body: { grant_type: 'client_credentials' },
    },
    reply: { status: 200, body: { access_token: 'example-token', token_type: 'Bearer', expires_in: 3600 } },
  },
  {
    endpoint: 'get-request-state',
    by: { flow: 'status' },
    source: `${source}GET /requeststates/{serverCorrelationId}, requestStateObject`,
    when: 'a request is completed',
    request: { method: 'GET', path: '/requeststates/2e9ce6e1-8bbc-4938-9274-418c28e78f80', headers },
    reply: { status: 200, body: state('completed', { objectReference: 'REF-1635488317033' }) },
  },
  {
    endpoint: 'get-response',
    by: { flow: 'refund' },
    source: `${source}GET /responses/{clientCorrelationId}, responseResponse`,
    when: 'a correlation id leads to its transaction',
    request: { method: 'GET', path: '/responses/{reference}', headers },
    reply: { status: 200, body: { link: '/transactions/REF-1620133857481' } },
  },
  {
    endpoint: 'get-transaction',
    by: { flow: 'status' },
    source: `${source}GET /transactions/{transactionReference}, responseTransaction`,
    when: 'a request is completed',
    request: { method: 'GET', path: '/transactions/REF-1635488317033', headers },
    reply: { status: 200, body: transaction },
    outcome: { status: 'settled', amount: '25.00 KES' },
  },
  {
    endpoint: 'create-reversal',
    by: { flow: 'refund' },
    source: `${source}POST /transactions/{transactionReference}/reversals, requestReversal, requestStateObject`,
    when: 'a payment is reversed',
    request: {
      method: 'POST',
      path: '/transactions/REF-1620133857481/reversals',
      headers: {
        ...headers,
        'x-correlationid': '{modification}',
        'x-callback-url': '{notify_url}/{reference}/{modification}',
      },
      body: {
        requestingOrganisationTransactionReference: '{modification}',
        type: 'reversal',
        amount: '25',
        currency: 'KES',
      },
    },
    reply: { status: 202, body: state('pending') },
    outcome: { status: 'pending', providerReference: '{modification}' },
  },
  {
    endpoint: 'get-response',
    by: { flow: 'modificationStatus' },
    source: `${source}GET /responses/{clientCorrelationId}, errorObject`,
    when: 'the provider has no such request',
    request: { method: 'GET', path: '/responses/{modification}', headers },
    reply: { status: 404, body: absent },
    outcome: { status: 'unknown', provider: { code: 'identifierError' } },
  },
  {
    endpoint: 'get-request-state',
    by: { flow: 'status' },
    source: `${source}GET /requeststates/{serverCorrelationId}, requestStateObject`,
    when: 'the payer has too little money',
    request: { method: 'GET', path: '/requeststates/2e9ce6e1-8bbc-4938-9274-418c28e78f80', headers },
    reply: {
      status: 200,
      body: state('failed', { error: { errorCategory: 'businessRule', errorCode: 'insufficientFunds' } }),
    },
    outcome: { status: 'declined', kind: 'soft', provider: { status: 'failed', code: 'insufficientFunds' } },
  },
  {
    endpoint: 'list-reversals',
    by: { flow: 'status', sample: 'known' },
    source: `${source}GET /accounts/{identifierType}/{identifier}/transactions, responseTransaction`,
    when: 'a transaction was reversed in the panel',
    request: {
      method: 'GET',
      path: '/accounts/accountid/2999/transactions?transactionType=reversal&limit=50',
      headers,
    },
    reply: {
      status: 200,
      body: [
        {
          transactionReference: 'REF-1620133857482',
          originalTransactionReference: 'REF-1635488317033',
          creditParty: msisdn,
          debitParty: merchant,
          type: 'reversal',
          transactionStatus: 'completed',
          amount: '5',
          currency: 'KES',
        },
        {
          transactionReference: 'REF-1',
          originalTransactionReference: 'REF-of-another',
          creditParty: msisdn,
          debitParty: merchant,
          type: 'reversal',
          transactionStatus: 'completed',
          amount: '25',
          currency: 'KES',
        },
      ],
    },
    outcome: {
      events: [
        { kind: 'payment', outcome: { status: 'settled' } },
        {
          kind: 'refund',
          outcome: { status: 'settled', providerReference: 'REF-1620133857482', amount: '5.00 KES' },
        },
      ],
    },
  },
];
