const OURS = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';
const PAYMENT = 'hu20sqlact5260q2nanm0q8u93';
const REFUND = '4jfabcee0ev36so050kooajabk';
const API = `https://publicapi.payments.service.gov.uk/v1/payments/${PAYMENT}`;
const CREATED = '2022-03-25T13:11:29.019Z';

const get = (href: string) => ({ href, method: 'GET' });
const post = (href: string) => ({ href, method: 'POST' });

const links = {
  self: get(API),
  next_url: get('https://www.payments.service.gov.uk/secure/ef1b6ff1-db34-4c62-b854-3ed4ba3c4049'),
  events: get(`${API}/events`),
  refunds: get(`${API}/refunds`),
  cancel: post(`${API}/cancel`),
};

const state = (status: string, code?: string) => ({
  status,
  finished: !['created', 'started', 'submitted', 'capturable'].includes(status),
  ...(code !== undefined && { code, message: 'Payment was not completed' }),
});

/** A payment of £25, of which so many pence can be refunded. */
export const payment = (status: string, { code, available = 2500 }: { code?: string; available?: number } = {}) => ({
  amount: 2500,
  description: 'Two books',
  reference: OURS,
  language: 'en',
  state: state(status, code),
  payment_id: PAYMENT,
  payment_provider: 'stripe',
  created_date: CREATED,
  refund_summary: {
    status: status === 'success' ? 'available' : 'pending',
    amount_available: available,
    amount_submitted: 2500 - available,
  },
  settlement_summary: {},
  delayed_capture: false,
  moto: false,
  return_url: 'https://your.service.gov.uk/completed',
  _links: links,
});

export const created = payment('created');
export const paid = payment('success');
export const held = { ...payment('capturable'), delayed_capture: true };
export const failed = payment('failed', { code: 'P0010' });
export const cancelled = payment('cancelled', { code: 'P0040' });

const { next_url: _page, ...searchLinks } = links;
const page = { count: 1, page: 1, total: 1 };
const listed = (status: string) => ({ ...payment(status), _links: searchLinks });
export const found = { ...page, results: [listed('success')], _links: {} };
export const foundTwice = {
  count: 3,
  page: 1,
  total: 3,
  results: ['failed', 'created', 'success'].map(listed),
  _links: {},
};
export const nothingFound = { count: 0, page: 1, total: 0, results: [], _links: {} };

const refundLinks = { self: get(`${API}/refunds/${REFUND}`), payment: get(API) };
export const refund = (status: string) => ({
  refund_id: REFUND,
  created_date: '2022-03-22T12:44:15.226Z',
  amount: 1000,
  status,
  _links: refundLinks,
});
export const refunds = {
  payment_id: PAYMENT,
  _links: refundLinks,
  _embedded: { refunds: [{ ...refund('success'), settlement_summary: {} }] },
};

export const dispute = (status: string) => ({
  amount: 2500,
  created_date: '2022-07-28T16:43:00.000Z',
  dispute_id: 'geCju5lhLGr0B2jfiT3jo5wDek',
  evidence_due_date: '2022-08-07T23:59:59.000Z',
  fee: 1500,
  payment_id: PAYMENT,
  reason: 'fraudulent',
  status,
  _links: { payment: get(API) },
});
export const disputes = (...statuses: readonly string[]) => ({
  count: statuses.length,
  page: 1,
  total: statuses.length,
  results: statuses.map(dispute),
  links: {},
});

export const problem = (code: string, description: string, field?: string) => ({
  ...(field !== undefined && { field }),
  code,
  description,
});
export const refused = problem(
  'P0102',
  'Invalid attribute value: amount. Must be less than or equal to 10000000',
  'amount',
);
export const absent = problem('P0200', 'Not found');
export const notCancelled = problem('P0502', 'Cancellation of payment failed');
export const notCaptured = problem('P1003', 'Capture of payment failed');
export const notRefunded = problem(
  'P0603',
  'The payment is not available for refund. Payment refund status: amount_not_available',
);
export const mismatch = problem('P0604', 'Refund amount available mismatch.');

/** The message of a webhook. */
export const message = (event_type: string, resource: object, { id = '123abc', of = 'payment' } = {}) => ({
  id,
  created_date: '2019-07-11T10:36:26.988Z',
  resource_id: of === 'refund' ? REFUND : PAYMENT,
  api_version: 1,
  resource_type: of,
  event_type,
  resource,
});
const { _links: _paymentLinks, ...resource } = paid;
export const tellsPayment = message('card_payment_captured', resource);
const { _links: _refundLinks, ...refundResource } = refund('success');
export const tellsRefund = message(
  'card_payment_refunded',
  { ...refundResource, settlement_summary: {}, payment_id: PAYMENT },
  { of: 'refund' },
);
