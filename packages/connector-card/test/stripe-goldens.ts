import type { Golden } from '@railyard/conformance';

/** Written from the types of the official package, apart from the connector. */
const source = 'npm package stripe 23.1.0, API 2026-10-28.endive: ';
const auth = { authorization: 'Bearer {settings.secret_key}', 'stripe-version': '2026-10-28.endive' };
const keyed = { ...auth, 'idempotency-key': '{key}' };
const intent = {
  id: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  object: 'payment_intent',
  amount: 2500,
  amount_received: 2500,
  amount_capturable: 0,
  currency: 'usd',
  capture_method: 'automatic',
  cancellation_reason: null,
  customer: null,
  last_payment_error: null,
  latest_charge: 'ch_3MtwBwLkdIwHu7ix28a3tqPb',
  livemode: false,
  metadata: { reference: '{reference}' },
  next_action: null,
  payment_method: 'pm_card_visa',
  status: 'succeeded',
};
const held = { ...intent, amount_received: 0, capture_method: 'manual', status: 'requires_capture' };
const error = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', message: 'Not enough.' };
const failed = { ...intent, amount_received: 0, last_payment_error: error, status: 'requires_payment_method' };
const known = { ...intent, id: '{provider_reference}' };

const post = (path: string, body: object) => ({ method: 'POST', path, headers: keyed, body });
const sale = {
  amount: '2500',
  currency: 'usd',
  confirm: 'true',
  allowed_payment_method_types: ['card'],
  capture_method: 'automatic',
  payment_method: 'pm_card_visa',
  metadata: { reference: '{reference}' },
  description: 'Two books',
  return_url: '{return_url}',
  statement_descriptor_suffix: 'BOOKS',
};
const hold = { ...sale, capture_method: 'manual' };
const refund = {
  id: 're_1Nispe2eZvKYlo2Cd31jOCgZ',
  object: 'refund',
  amount: 2500,
  currency: 'usd',
  metadata: { reference: '{modification}' },
  payment_intent: '{provider_reference}',
  status: 'succeeded',
};

const jenny = {
  name: 'Jenny Rosen',
  email: 'jenny@example.com',
  phone: '+15550100',
  address: { line1: '510 Townsend St', city: 'San Francisco', state: 'CA', postal_code: '94103', country: 'US' },
};

export const stripeGoldens: readonly Golden[] = [
  {
    endpoint: 'create-payment-method',
    source: `${source}PaymentMethodCreateParams, PaymentMethod`,
    when: 'a card becomes a payment method',
    request: post('/v1/payment_methods', {
      type: 'card',
      card: { number: '4242424242424242', cvc: '123', exp_month: '12', exp_year: '2034' },
      billing_details: jenny,
    }),
    reply: { status: 200, body: { id: 'pm_card_visa', object: 'payment_method', type: 'card', livemode: false } },
  },
  {
    endpoint: 'create-payment-intent',
    source: `${source}PaymentIntentCreateParams, PaymentIntent`,
    when: 'a card is charged',
    request: post('/v1/payment_intents', sale),
    reply: { status: 200, body: intent },
    outcome: { status: 'settled', providerReference: intent.id, amount: '25.00 USD' },
  },
  {
    endpoint: 'create-payment-intent',
    by: { sample: 'hold' },
    source: `${source}PaymentIntentCreateParams.capture_method, PaymentIntent`,
    when: 'a card is held',
    request: post('/v1/payment_intents', hold),
    reply: { status: 200, body: held },
    outcome: { status: 'authorized', providerReference: intent.id, amount: '25.00 USD' },
  },
  {
    endpoint: 'create-payment-method',
    by: { sample: 'co-branded' },
    source: `${source}PaymentMethodCreateParams.Card.Networks.preferred, PaymentMethod`,
    when: 'the payer chose a network of a co-branded card that becomes a payment method',
    request: post('/v1/payment_methods', {
      type: 'card',
      card: {
        number: '4000002500001001',
        cvc: '123',
        exp_month: '12',
        exp_year: '2034',
        networks: { preferred: 'cartes_bancaires' },
      },
      billing_details: jenny,
    }),
    reply: { status: 200, body: { id: 'pm_card_visa', object: 'payment_method', type: 'card', livemode: false } },
  },
  {
    endpoint: 'create-payment-intent',
    by: { sample: 'co-branded' },
    source: `${source}PaymentIntentCreateParams.PaymentMethodOptions.Card.network, PaymentIntent`,
    when: 'the payer chose a network of a co-branded card',
    request: post('/v1/payment_intents', {
      ...sale,
      payment_method_options: { card: { network: 'cartes_bancaires' } },
    }),
    reply: { status: 200, body: intent },
    outcome: { status: 'settled', providerReference: intent.id, amount: '25.00 USD' },
  },
  {
    endpoint: 'create-payment-intent',
    by: { sample: 'authenticated' },
    source: `${source}PaymentIntentCreateParams.PaymentMethodOptions.Card.ThreeDSecure, PaymentIntent`,
    when: 'the payer was authenticated by the merchant',
    request: post('/v1/payment_intents', {
      ...sale,
      payment_method_options: {
        card: {
          three_d_secure: {
            cryptogram: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
            electronic_commerce_indicator: '05',
            transaction_id: 'd65e93c3-35ab-41ba-b307-767bfc19eae3',
            version: '2.2.0',
            ares_trans_status: 'C',
          },
        },
      },
    }),
    reply: { status: 200, body: intent },
    outcome: { status: 'settled', providerReference: intent.id, amount: '25.00 USD' },
  },
  {
    endpoint: 'create-payment-intent',
    source: `${source}StripeCardError, PaymentIntent.LastPaymentError; https://docs.stripe.com/declines/codes`,
    when: 'a card has not enough money',
    request: post('/v1/payment_intents', sale),
    reply: { status: 402, body: { error: { ...error, payment_intent: failed } } },
    outcome: { status: 'declined', kind: 'soft', code: 'insufficient_funds', providerReference: intent.id },
  },
  {
    endpoint: 'create-payment-intent',
    source: `${source}StripeInvalidRequestError`,
    when: 'a request is not taken',
    request: post('/v1/payment_intents', sale),
    reply: {
      status: 400,
      body: { error: { type: 'invalid_request_error', code: 'parameter_missing', message: 'No.' } },
    },
    outcome: { status: 'declined', kind: 'hard', provider: { code: 'parameter_missing' } },
  },
  {
    endpoint: 'create-customer',
    by: { sample: 'chain' },
    source: `${source}CustomerCreateParams, Customer`,
    when: 'the card of a mandate is kept',
    request: post('/v1/customers', {
      name: 'Ada Example',
      email: 'jenny@example.com',
      metadata: { reference: '{reference}' },
    }),
    reply: { status: 200, body: { id: 'cus_NffrFeUfNV2Hib', object: 'customer', livemode: false } },
  },
  {
    endpoint: 'create-payment-intent',
    by: { sample: 'chain', flow: 'recurring', method: 'card' },
    source: `${source}PaymentIntentCreateParams.off_session, PaymentIntent`,
    when: 'a kept card is charged later',
    request: post('/v1/payment_intents', {
      amount: '2500',
      currency: 'usd',
      confirm: 'true',
      allowed_payment_method_types: ['card'],
      capture_method: 'automatic',
      payment_method: 'pm_card_visa',
      metadata: { reference: '{reference}' },
      customer: 'cus_NffrFeUfNV2Hib',
      off_session: 'true',
    }),
    reply: { status: 200, body: { ...intent, customer: 'cus_NffrFeUfNV2Hib' } },
    outcome: { status: 'settled', providerReference: intent.id },
  },
  {
    endpoint: 'capture',
    source: `${source}PaymentIntentCaptureParams, PaymentIntent`,
    when: 'a hold is captured',
    request: post('/v1/payment_intents/{provider_reference}/capture', {
      amount_to_capture: '2500',
      metadata: { capture: '{modification}' },
    }),
    reply: {
      status: 200,
      body: { ...known, capture_method: 'manual', metadata: { reference: '{reference}', capture: '{modification}' } },
    },
    outcome: { status: 'settled', providerReference: '{provider_reference}', amount: '25.00 USD' },
  },
  {
    endpoint: 'cancel',
    source: `${source}PaymentIntentCancelParams, PaymentIntent`,
    when: 'a hold is let go of',
    request: post('/v1/payment_intents/{provider_reference}/cancel', { cancellation_reason: 'requested_by_customer' }),
    reply: {
      status: 200,
      body: { ...held, id: '{provider_reference}', cancellation_reason: 'requested_by_customer', status: 'canceled' },
    },
    outcome: { status: 'settled', providerReference: '{provider_reference}' },
  },
  {
    endpoint: 'create-refund',
    source: `${source}RefundCreateParams, Refund`,
    when: 'money is given back',
    request: post('/v1/refunds', {
      payment_intent: '{provider_reference}',
      amount: '2500',
      metadata: { reference: '{modification}' },
    }),
    reply: { status: 200, body: refund },
    outcome: { status: 'settled', providerReference: refund.id, amount: '25.00 USD' },
  },
  {
    endpoint: 'get-payment-intent',
    by: { flow: 'status' },
    source: `${source}PaymentIntentResource.retrieve, PaymentIntent`,
    when: 'a payment is looked up',
    request: {
      method: 'GET',
      path: '/v1/payment_intents/{provider_reference}?expand%5B0%5D=latest_charge.refunds',
      headers: auth,
    },
    reply: { status: 200, body: known },
    outcome: { status: 'settled', providerReference: '{provider_reference}' },
  },
  {
    endpoint: 'search-payment-intents',
    source: `${source}PaymentIntentSearchParams, ApiSearchResult`,
    when: 'a payment is looked up by our reference',
    request: {
      method: 'GET',
      path: '/v1/payment_intents/search?query=metadata%5B%27reference%27%5D%3A%27{reference}%27&expand%5B0%5D=data.latest_charge.refunds',
      headers: auth,
    },
    reply: { status: 200, body: { object: 'search_result', data: [intent], has_more: false, url: '/v1/search' } },
    outcome: { status: 'settled', providerReference: intent.id },
  },
  {
    endpoint: 'get-refund',
    source: `${source}RefundResource.retrieve, Refund`,
    when: 'a refund is looked up',
    request: { method: 'GET', path: '/v1/refunds/modification-1', headers: auth },
    reply: { status: 200, body: { ...refund, id: 'modification-1', status: 'failed' } },
    outcome: { status: 'declined', kind: 'hard' },
  },
  {
    endpoint: 'get-payment-intent',
    by: { flow: 'status', sample: 'redirect' },
    source: `${source}PaymentIntentResource.retrieve, Charge.disputed`,
    when: 'a payment that its payer disputed is looked up',
    request: {
      method: 'GET',
      path: '/v1/payment_intents/{provider_reference}?expand%5B0%5D=latest_charge.refunds',
      headers: auth,
    },
    reply: {
      status: 200,
      body: {
        ...known,
        latest_charge: {
          id: intent.latest_charge,
          object: 'charge',
          disputed: true,
          refunds: { object: 'list', data: [], has_more: false, url: `/v1/charges/${intent.latest_charge}/refunds` },
        },
      },
    },
  },
  {
    endpoint: 'list-disputes',
    by: { flow: 'status', sample: 'redirect' },
    source: `${source}DisputeListParams, ApiList, Dispute`,
    when: 'a payment whose charge is disputed is looked up',
    request: {
      method: 'GET',
      path: '/v1/disputes?payment_intent={provider_reference}&limit=100',
      headers: auth,
    },
    reply: {
      status: 200,
      body: {
        object: 'list',
        data: [
          {
            id: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
            object: 'dispute',
            amount: 2500,
            currency: 'usd',
            payment_intent: '{provider_reference}',
            status: 'under_review',
          },
        ],
        has_more: false,
        url: '/v1/disputes',
      },
    },
  },
  {
    endpoint: 'list-refunds',
    by: { flow: 'modificationStatus' },
    source: `${source}RefundListParams, ApiList`,
    when: 'a refund without a reply is looked up',
    request: {
      method: 'GET',
      path: '/v1/refunds?payment_intent={provider_reference}&limit=100',
      headers: auth,
    },
    reply: { status: 200, body: { object: 'list', data: [refund], has_more: false, url: '/v1/refunds' } },
    outcome: { status: 'settled', providerReference: refund.id },
  },
];
