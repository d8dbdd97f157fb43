import type { Golden } from '@railyard/conformance';

/** Written from the official description and the standard's usage examples, apart from the connector. */
const source = 'ob-uk-payment-initiation-4.json (https://github.com/OpenBankingUK/read-write-api-specs): ';
const oauth = 'ob-uk-payment-initiation-4.json: TPPOAuth2Security and PSUOAuth2Security, RFC 6749';

const token = { access_token: 'Jhingapulaav', token_type: 'Bearer', expires_in: 3600 };
const bearer = { authorization: 'Bearer Jhingapulaav' };
const Initiation = {
  InstructionIdentification: '{compact_reference}',
  EndToEndIdentification: '{compact_reference}',
  InstructedAmount: { Amount: '25.00', Currency: 'GBP' },
  CreditorAccount: { SchemeName: 'UK.OBIE.IBAN', Identification: 'GB29NWBK60161331926819', Name: 'Ann Lee' },
  RemittanceInformation: { Unstructured: ['Two books'] },
};
const Risk = { PaymentContextCode: 'EcommerceMerchantInitiatedPayment' };
const times = { CreationDateTime: '2017-06-05T15:15:13+00:00', StatusUpdateDateTime: '2017-06-05T15:15:13+00:00' };
const Links = { Self: 'https://api.alphabank.example/open-banking/v4.0/pisp/domestic-payment-consents/58923' };
const consent = (Status: string, more: object = {}) => ({
  Data: { ConsentId: '58923', Status, ...times, Initiation, ...more },
  Risk,
  Links,
  Meta: {},
});
const payment = (Status: string, more: object = {}) => ({
  Data: { DomesticPaymentId: '58923-001', ConsentId: '58923', Status, ...times, Initiation, ...more },
  Links,
  Meta: {},
});
const post = (path: string, body: object) => ({
  method: 'POST',
  path,
  headers: { ...bearer, 'x-idempotency-key': '{key}' },
  body,
});
const consenting = post('/domestic-payment-consents', { Data: { Initiation }, Risk });
const paying = post('/domestic-payments', { Data: { ConsentId: '58923', Initiation }, Risk });
const asking = { method: 'GET', path: '/domestic-payment-consents/{provider_reference}', headers: bearer };
const invalid = { Errors: [{ ErrorCode: 'U001', Message: 'The consent was not made.' }] };

const tokenOf = (body: object) => ({
  method: 'POST',
  path: '/token.oauth2',
  body: {
    ...body,
    client_id: 'the-client',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  },
});

const WORDS = [
  ['AWAU', 'pending'],
  ['AUTH', 'pending'],
  ['COND', 'pending'],
  ['RJCT', 'declined'],
] as const;
const PAID = [
  ['RCVD', 'pending'],
  ['PDNG', 'pending'],
  ['ACTC', 'pending'],
  ['ACSP', 'pending'],
  ['ACWC', 'pending'],
  ['ACWP', 'pending'],
  ['ACSC', 'settled'],
  ['ACCC', 'settled'],
  ['BLCK', 'declined'],
  ['RJCT', 'declined'],
] as const;

export const obUkGoldens: readonly Golden[] = [
  {
    endpoint: 'create-consent',
    source: `${source}POST /domestic-payment-consents, OBWriteDomesticConsent4, OBWriteDomesticConsentResponse5`,
    when: 'the payer is sent to the bank',
    by: { flow: 'purchase', sample: 'iban' },
    request: consenting,
    reply: { status: 201, body: consent('AWAU') },
    outcome: {
      nextAction: {
        kind: 'visit',
        url: 'https://bank.example/authorize?brand=north',
        method: 'GET',
        reference: '58923',
      },
    },
  },
  {
    endpoint: 'create-consent',
    source: `${source}POST /domestic-payment-consents, OBWriteDomesticConsent4, OBErrorResponse1`,
    when: 'the bank refuses',
    by: { flow: 'purchase', sample: 'iban' },
    request: consenting,
    reply: { status: 400, body: invalid },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'U001' } },
  },
  ...PAID.map(([status, expected]): Golden => ({
    endpoint: 'create-payment',
    source: `${source}POST /domestic-payments, OBWriteDomestic2, OBWriteDomesticResponse5`,
    when: `the payment is ${status}`,
    by: { flow: 'purchase', sample: 'iban' },
    request: paying,
    reply: { status: 201, body: payment(status) },
    outcome: { status: expected },
  })),
  {
    endpoint: 'create-payment',
    source: `${source}POST /domestic-payments, OBStatusReason`,
    when: 'there was not enough money',
    by: { flow: 'purchase', sample: 'iban' },
    request: paying,
    reply: { status: 201, body: payment('RJCT', { StatusReason: [{ StatusReasonCode: 'AM04' }] }) },
    outcome: {
      status: 'declined',
      kind: 'soft',
      code: 'insufficient_funds',
      provider: { status: 'RJCT', code: 'AM04' },
    },
  },
  ...WORDS.map(([status, expected]): Golden => ({
    endpoint: 'get-consent',
    source: `${source}GET /domestic-payment-consents/{ConsentId}, OBWriteDomesticConsentResponse5`,
    when: `the consent is ${status}`,
    by: { flow: 'status', sample: 'unpaid' },
    request: asking,
    reply: { status: 200, body: consent(status, { ConsentId: '{provider_reference}' }) },
    outcome: { status: expected },
  })),
  {
    endpoint: 'get-payment',
    source: `${source}GET /domestic-payments/{DomesticPaymentId}, OBWriteDomesticResponse5`,
    when: 'the payment is done',
    by: { flow: 'status', sample: 'iban' },
    request: { method: 'GET', path: '/domestic-payments/58923-001', headers: bearer },
    reply: { status: 200, body: payment('ACSC', { ConsentId: '{provider_reference}' }) },
    outcome: { status: 'settled', amount: '25.00 GBP' },
  },
  {
    endpoint: 'authenticate',
    source: oauth,
    when: 'the merchant’s own token is asked for',
    request: tokenOf({ grant_type: 'client_credentials', scope: 'payments' }),
    reply: { status: 200, body: token },
  },
  {
    endpoint: 'get-keys',
    source: 'https://www.rfc-editor.org/rfc/rfc7517, 5; the key of https://www.rfc-editor.org/rfc/rfc7515, A.3.1',
    when: 'the payer is about to be sent to the bank',
    by: { flow: 'purchase', sample: 'iban' },
    request: { method: 'GET', path: '/the-bank' },
    reply: {
      status: 200,
      body: {
        keys: [
          {
            kty: 'EC',
            crv: 'P-256',
            x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
            y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
            kid: 'rfc-7515-a-3',
          },
        ],
      },
    },
  },
  {
    endpoint: 'exchange-code',
    source: oauth,
    when: 'the payer has agreed',
    by: { flow: 'purchase', sample: 'iban' },
    request: tokenOf({ grant_type: 'authorization_code', code: 'brought-back', redirect_uri: '{return_url}' }),
    reply: { status: 200, body: token },
  },
];
