import type { Golden } from '@railyard/conformance';

/** Written from the official description, apart from the connector: its schemas and its examples. */
const source = 'https://github.com/Adyen/adyen-openapi, Checkout v71: ';
const headers = { 'x-api-key': '{settings.api_key}', 'idempotency-key': '{key}' };
const merchantAccount = '{settings.merchant_account}';
const psp = '993617895204576J';
const change = '993617894906488A';
const amount = { currency: 'USD', value: 2500 };

const payer = {
  authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
  browserInfo: {
    acceptHeader: 'text/html',
    userAgent: 'Browser',
    language: 'en',
    javaScriptEnabled: true,
    javaEnabled: false,
    colorDepth: 24,
    screenHeight: 1080,
    screenWidth: 1920,
    timeZoneOffset: -60,
  },
  billingAddress: {
    street: 'Redwood Block',
    houseNumberOrName: '37C',
    city: 'New York',
    postalCode: '10039',
    country: 'US',
    stateOrProvince: 'NY',
  },
  shopperIP: '192.0.2.7',
  shopperEmail: 'ada@example.com',
  merchantOrderReference: 'order-1',
  shopperStatement: 'SHOP BOOKS',
  returnUrl: '{return_url}',
};
const card = (number: string) => ({
  type: 'scheme',
  number,
  cvc: '737',
  expiryMonth: '03',
  expiryYear: '2030',
  holderName: 'John Smith',
});
const sale = {
  merchantAccount,
  reference: '{reference}',
  amount,
  captureDelayHours: 0,
  paymentMethod: card('4111111111111111'),
  ...payer,
};
const { captureDelayHours: _sale, ...rest } = sale;
const hold = { ...rest, reference: 'hold-{reference}', additionalData: { manualCapture: 'true' } };
const payments = { method: 'POST', path: '/payments', headers };

const modified = (change_: string, extra: object = {}) => ({
  request: {
    method: 'POST',
    path: `/payments/{provider_reference}/${change_}`,
    headers,
    body: { merchantAccount, reference: '{modification}', ...extra },
  },
  reply: {
    status: 201,
    body: {
      merchantAccount,
      paymentPspReference: '{provider_reference}',
      reference: '{modification}',
      pspReference: change,
      status: 'received',
      ...extra,
    },
  },
  outcome: { status: 'pending', providerReference: change },
});

export const adyenGoldens: readonly Golden[] = [
  {
    endpoint: 'create-payment',
    source: `${source}POST /payments, examples card-direct and its reply`,
    when: 'a card is charged',
    request: { ...payments, body: sale },
    reply: {
      status: 200,
      body: {
        additionalData: { cvcResult: '1 Matches', authCode: '044925' },
        pspReference: psp,
        resultCode: 'Authorised',
        merchantReference: '{reference}',
      },
    },
    outcome: { status: 'settled', providerReference: psp, amount: '25.00 USD', facts: { approval_code: '044925' } },
  },
  {
    endpoint: 'create-payment',
    by: { sample: 'hold' },
    source: `${source}POST /payments, PaymentRequest, AdditionalDataCommon.manualCapture, PaymentResponse`,
    when: 'a card is held',
    request: { ...payments, body: hold },
    reply: {
      status: 200,
      body: { pspReference: psp, resultCode: 'Authorised', merchantReference: 'hold-{reference}', amount },
    },
    outcome: { status: 'authorized', providerReference: psp, amount: '25.00 USD' },
  },
  {
    endpoint: 'create-payment',
    by: { sample: 'redirect' },
    source: `${source}POST /payments, examples card-3d-secure-redirect and its reply`,
    when: 'the payer has to go to their bank',
    request: { ...payments, body: { ...sale, paymentMethod: card('4212345678901237') } },
    reply: {
      status: 200,
      body: {
        pspReference: 'JLCMPCQ8HXSKGK82',
        resultCode: 'RedirectShopper',
        action: {
          paymentMethodType: 'scheme',
          url: 'https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect',
          method: 'GET',
          type: 'redirect',
        },
      },
    },
  },
  {
    endpoint: 'create-payment',
    by: { sample: 'co-branded' },
    source: `${source}POST /payments, CardDetails.brand; docs.adyen.com/payment-methods/cards/raw-card-data, Showing co-badged cards`,
    when: 'the payer chose a network of a co-branded card',
    request: {
      ...payments,
      body: { ...sale, paymentMethod: { ...card('4035501000000008'), brand: 'cartebancaire' } },
    },
    reply: {
      status: 200,
      body: { pspReference: psp, resultCode: 'Authorised', merchantReference: '{reference}', amount },
    },
    outcome: { status: 'settled', providerReference: psp, amount: '25.00 USD' },
  },
  {
    endpoint: 'create-payment',
    by: { sample: 'authenticated' },
    source: `${source}POST /payments, PaymentRequest.mpiData, ThreeDSecureData; AuthenticationData.attemptAuthentication`,
    when: 'the payer was authenticated by the merchant',
    request: {
      ...payments,
      body: {
        ...sale,
        paymentMethod: card('4212345678901237'),
        authenticationData: { attemptAuthentication: 'never' },
        mpiData: {
          cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
          eci: '05',
          xid: 'MDAwMDAwMDAwMDEyMzQ1Njc4OTA=',
          dsTransID: 'd65e93c3-35ab-41ba-b307-767bfc19eae3',
          threeDSVersion: '2.2.0',
          directoryResponse: 'C',
          authenticationResponse: 'Y',
          transStatusReason: '17',
        },
      },
    },
    reply: {
      status: 200,
      body: { pspReference: psp, resultCode: 'Authorised', merchantReference: '{reference}' },
    },
    outcome: { status: 'settled', providerReference: psp, amount: '25.00 USD' },
  },
  {
    endpoint: 'payment-details',
    by: { sample: 'redirect' },
    source: `${source}POST /payments/details, example redirect and its reply`,
    when: 'the payer is back from their bank',
    request: {
      method: 'POST',
      path: '/payments/details',
      headers,
      body: { details: { redirectResult: 'brought-back' } },
    },
    reply: { status: 200, body: { resultCode: 'Authorised', pspReference: 'V4HZ4RBFJGXXGN82' } },
    outcome: { status: 'settled', providerReference: 'V4HZ4RBFJGXXGN82', amount: '25.00 USD' },
  },
  {
    endpoint: 'create-payment',
    source: `${source}POST /payments, PaymentResponse; https://docs.adyen.com/development-resources/refusal-reasons`,
    when: 'a card has not enough money',
    request: { ...payments, body: sale },
    reply: {
      status: 200,
      body: { pspReference: psp, resultCode: 'Refused', refusalReason: 'Not enough balance', refusalReasonCode: '12' },
    },
    outcome: { status: 'declined', kind: 'soft', code: 'insufficient_funds' },
  },
  {
    endpoint: 'create-payment',
    source: `${source}POST /payments, ServiceError, example generic-422`,
    when: 'a request is not taken',
    request: { ...payments, body: sale },
    reply: {
      status: 422,
      body: { status: 422, errorCode: '14_030', message: 'Return URL is missing.', errorType: 'validation' },
    },
    outcome: { status: 'declined', kind: 'hard', provider: { code: '14_030' } },
  },
  {
    endpoint: 'create-payment',
    by: { sample: 'chain', flow: 'recurring', method: 'card' },
    source: `${source}POST /payments, PaymentRequest; https://docs.adyen.com/online-payments/tokenization`,
    when: 'a token is charged later',
    request: {
      ...payments,
      body: {
        merchantAccount,
        reference: '{reference}',
        amount,
        captureDelayHours: 0,
        paymentMethod: { type: 'scheme', storedPaymentMethodId: 'M5N7TQ4TG5PFWR50' },
        shopperReference: 'the-mandate',
        shopperInteraction: 'ContAuth',
        recurringProcessingModel: 'UnscheduledCardOnFile',
        returnUrl: '{return_url}',
      },
    },
    reply: { status: 200, body: { pspReference: psp, resultCode: 'Authorised', merchantReference: '{reference}' } },
    outcome: { status: 'settled', providerReference: psp },
  },
  {
    endpoint: 'capture',
    source: `${source}POST /payments/{paymentPspReference}/captures, example capture and its reply`,
    when: 'a hold is captured',
    ...modified('captures', { amount }),
  },
  {
    endpoint: 'refund',
    source: `${source}POST /payments/{paymentPspReference}/refunds, PaymentRefundRequest and PaymentRefundResponse`,
    when: 'money is given back',
    ...modified('refunds', { amount }),
  },
  {
    endpoint: 'cancel',
    source: `${source}POST /payments/{paymentPspReference}/cancels, PaymentCancelRequest and PaymentCancelResponse`,
    when: 'a hold is cancelled',
    ...modified('cancels'),
  },
  {
    endpoint: 'reverse',
    source: `${source}POST /payments/{paymentPspReference}/reversals, example reversal and its reply`,
    when: 'a sale is taken back',
    ...modified('reversals'),
  },
];
