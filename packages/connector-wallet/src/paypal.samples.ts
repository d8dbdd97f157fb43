const usd = (value: string) => ({ currency_code: 'USD', value });
const times = { create_time: '2026-11-21T12:00:00Z', update_time: '2026-11-21T12:00:00Z' };
const OURS = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';

export const ORDER = '5O190127TN364715T';
const links = [
  { href: `https://api-m.paypal.com/v2/checkout/orders/${ORDER}`, rel: 'self', method: 'GET' },
  { href: `https://www.paypal.com/checkoutnow?token=${ORDER}`, rel: 'payer-action', method: 'GET' },
];

/** An order of one purchase unit, with the payments that it has. */
export const orderWith = (status: string, payments?: object, more: object = {}) => ({
  ...times,
  id: ORDER,
  intent: 'CAPTURE',
  status,
  purchase_units: [
    { reference_id: 'default', ...(payments !== undefined && { payments }), amount: usd('10.00'), custom_id: OURS },
  ],
  links,
  ...more,
});

/** As the Payments API and notifications show it; the Orders API does not name related ids. */
const movement = (id: string, status: string, more: object = {}) => ({
  ...times,
  id,
  status,
  amount: usd('10.00'),
  custom_id: OURS,
  ...more,
});

export const authorization = movement('0AW2184448108334S', 'CREATED', { expiration_time: '2026-12-20T12:00:00Z' });
export const capture = movement('2GG279541U471931P', 'COMPLETED', { final_capture: true });
export const captureOfHold = {
  ...capture,
  invoice_id: '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01',
  supplementary_data: { related_ids: { order_id: ORDER, authorization_id: authorization.id } },
};
export const refund = movement('1JU08902781691411', 'COMPLETED', {
  invoice_id: '7d2e9f0b-4c8a-4d7e-9a3b-2c4d6e8f0a12',
});

export const created = orderWith('PAYER_ACTION_REQUIRED');
/** Links are not required. */
export const withoutLinks = orderWith('PAYER_ACTION_REQUIRED', undefined, { links: undefined });
export const approved = orderWith('APPROVED');
export const captured = orderWith('COMPLETED', { captures: [capture] });
export const authorized = orderWith('COMPLETED', { authorizations: [authorization] }, { intent: 'AUTHORIZE' });
export const voided = { ...authorization, status: 'VOIDED' };

const problem = (name: string, message: string, details: object) => ({
  name,
  message,
  debug_id: '90957fca61718',
  details: [details],
});

/** Each operation has issues of its own, and this one. */
export const refused = problem(
  'INVALID_REQUEST',
  'Request is not well-formed, syntactically incorrect, or violates schema.',
  { issue: 'INVALID_STRING_LENGTH' },
);
export const refusal = (issue: string, description: string) =>
  problem(
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
    { issue, description },
  );
export const absent = problem('RESOURCE_NOT_FOUND', 'The specified resource does not exist.', {
  issue: 'INVALID_RESOURCE_ID',
  description: 'Specified resource ID does not exist. Please check the resource ID and try again.',
});

export const token = { access_token: 'example-token', token_type: 'Bearer', expires_in: 32400 };

/** The parts of a notification as docs.paypal.ai/reference/webhook-events/webhook-format names them. */
export const event = (event_type: string, resource_type: string, resource: object, id = 'WH-4KS71283CM9727901') => ({
  id,
  create_time: '2026-11-21T12:00:00Z',
  resource_type,
  event_type,
  resource,
});
const ofOrder = { supplementary_data: { related_ids: { order_id: ORDER } } };
export const events = [
  event('CHECKOUT.ORDER.APPROVED', 'checkout-order', approved),
  event('PAYMENT.CAPTURE.COMPLETED', 'capture', { ...capture, ...ofOrder }),
  event('PAYMENT.CAPTURE.PENDING', 'capture', {
    ...capture,
    ...ofOrder,
    status: 'PENDING',
    status_details: { reason: 'PENDING_REVIEW' },
  }),
  event('PAYMENT.CAPTURE.COMPLETED', 'capture', captureOfHold),
  // Of a payment that no order made.
  event('PAYMENT.CAPTURE.COMPLETED', 'capture', capture),
  event('PAYMENT.CAPTURE.REVERSED', 'capture', { ...capture, ...ofOrder }),
  event('PAYMENT.CAPTURE.REVERSED', 'capture', capture),
  event('PAYMENT.AUTHORIZATION.CREATED', 'authorization', { ...authorization, ...ofOrder }),
  event('PAYMENT.AUTHORIZATION.VOIDED', 'authorization', { ...voided, ...ofOrder }),
  event('PAYMENT.CAPTURE.REFUNDED', 'refund', refund),
];
