/** Objects with the fields that the package stripe 23.1.0 types, as far as the connector reads them, and those that identify them. */
export const succeeded = {
  id: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  object: 'payment_intent',
  amount: 1000,
  amount_received: 1000,
  currency: 'usd',
  capture_method: 'automatic',
  cancellation_reason: null,
  customer: null,
  last_payment_error: null,
  latest_charge: 'ch_3MtwBwLkdIwHu7ix28a3tqPb',
  metadata: { reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11' },
  next_action: null,
  payment_method: 'pm_card_visa',
  status: 'succeeded',
};

export const held = { ...succeeded, amount_received: 0, capture_method: 'manual', status: 'requires_capture' };
/** In whole; our id says which capture did it. */
export const captured = {
  ...succeeded,
  capture_method: 'manual',
  metadata: { ...succeeded.metadata, capture: '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01' },
};
export const canceled = { ...held, cancellation_reason: 'requested_by_customer', status: 'canceled' };
/** Of a first payment whose card may be charged again. */
export const saved = { ...succeeded, customer: 'cus_NffrFeUfNV2Hib' };

export const redirecting = {
  ...succeeded,
  amount_received: 0,
  latest_charge: null,
  next_action: {
    type: 'redirect_to_url',
    redirect_to_url: { url: 'https://hooks.stripe.com/3d_secure_2/hosted', return_url: 'https://shop.example/back' },
  },
  status: 'requires_action',
};

export const failed = {
  ...succeeded,
  amount_received: 0,
  last_payment_error: {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  status: 'requires_payment_method',
};

/** Without a decline code: the payer's bank answered that it did not authenticate them. */
export const unauthenticated = {
  ...failed,
  last_payment_error: {
    type: 'card_error',
    code: 'payment_intent_authentication_failure',
    message: 'The provided payment method has failed authentication.',
  },
};

export const found = { object: 'search_result', data: [succeeded], has_more: false, url: '/v1/payment_intents/search' };
export const nothing = { ...found, data: [] };

export const decline = { error: { ...failed.last_payment_error, payment_intent: failed } };
export const problem = {
  error: { type: 'invalid_request_error', code: 'parameter_missing', message: 'Missing required param: amount.' },
};
/** A key that was used with other fields. */
export const otherFields = {
  error: {
    type: 'idempotency_error',
    message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
  },
};
export const absent = {
  error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such payment_intent.' },
};
export const wrongKey = { error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } };
export const speechless = { error: { type: 'api_error' } };

export const paymentMethod = { id: 'pm_card_visa', object: 'payment_method', type: 'card' };
export const customer = { id: 'cus_NffrFeUfNV2Hib', object: 'customer' };
export const balance = { object: 'balance', livemode: false };

export const refund = {
  id: 're_1Nispe2eZvKYlo2Cd31jOCgZ',
  object: 'refund',
  amount: 1000,
  currency: 'usd',
  metadata: { reference: '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01' },
  payment_intent: succeeded.id,
  status: 'succeeded',
};
export const refunds = { object: 'list', data: [refund], has_more: false, url: '/v1/refunds' };

export const moreRefunds = { ...refunds, has_more: true };

export const dispute = {
  id: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
  object: 'dispute',
  amount: 1000,
  currency: 'usd',
  payment_intent: succeeded.id,
  status: 'needs_response',
};

/** Looked up, with its charge. */
export const disputed = {
  ...succeeded,
  latest_charge: {
    id: succeeded.latest_charge,
    object: 'charge',
    disputed: true,
    refunds: { object: 'list', data: [], has_more: false, url: `/v1/charges/${succeeded.latest_charge}/refunds` },
  },
};
/** A charge lists ten of its refunds at the most. */
export const oftenRefunded = {
  ...disputed,
  latest_charge: {
    ...disputed.latest_charge,
    disputed: false,
    refunds: { ...disputed.latest_charge.refunds, data: [refund], has_more: true },
  },
};
export const disputes = { object: 'list', data: [dispute], has_more: false, url: '/v1/disputes' };

/** A webhook about an object. */
export const event = (type: string, object: object, id = 'evt_1NG8Du2eZvKYlo2CUI79vXWy') => ({
  id,
  object: 'event',
  api_version: '2026-10-28.endive',
  data: { object },
  type,
});

export const events = [
  event('payment_intent.succeeded', succeeded),
  event('payment_intent.amount_capturable_updated', held),
  event('payment_intent.requires_action', redirecting),
  event('payment_intent.processing', { ...redirecting, next_action: null, status: 'processing' }),
  event('payment_intent.payment_failed', failed),
  event('payment_intent.payment_failed', unauthenticated),
  event('payment_intent.canceled', { ...canceled, cancellation_reason: 'automatic' }),
  event('payment_intent.created', { ...redirecting, next_action: null, status: 'requires_confirmation' }),
  event('refund.created', { ...refund, status: 'pending' }),
  event('refund.updated', refund),
  event('refund.failed', { ...refund, status: 'failed' }),
  event('charge.dispute.created', dispute),
  event('charge.dispute.closed', { ...dispute, status: 'won' }),
];
