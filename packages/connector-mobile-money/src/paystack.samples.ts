const authorization = {
  authorization_code: 'AUTH_33lz7ev5tq',
  bin: '055XXX',
  last4: 'X149',
  exp_month: '12',
  exp_year: '9999',
  channel: 'mobile_money',
  card_type: '',
  bank: 'MTN',
  country_code: 'GH',
  brand: 'Mtn',
  reusable: false,
  signature: '',
};

const customer = {
  first_name: 'Ama',
  last_name: 'Mensah',
  email: 'ama@example.com',
  customer_code: 'CUS_s3aa4mx0yyvrqye',
  phone: '0551234987',
  risk_action: 'default',
};

const AT = '2026-11-21T12:00:00.000Z';

const charge = {
  domain: 'test',
  status: 'pay_offline',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  amount: 10_000,
  currency: 'GHS',
  transaction_date: AT,
  gateway_response: 'Approved',
  message: null,
  channel: 'mobile_money',
  metadata: { custom_fields: [] },
  fees: 195,
};

/** A charge with the fields that the description requires, as the answer to a step. */
export const sampleStep = { ...charge, redirect_url: null, authorization, customer };

const none = { order_id: null, pos_transaction_data: null, source: null, fees_breakdown: null };
const paid = { paid_at: AT, paidAt: AT };

/** As the answer to its creation, and when it is verified. */
export const sampleCharge = {
  ...charge,
  ...none,
  ...paid,
  id: 59_333,
  receipt_number: null,
  log: null,
  fees_split: null,
  plan: null,
  connect: null,
  requested_amount: charge.amount,
  created_at: AT,
  createdAt: AT,
  ip_address: '192.0.2.1',
  authorization: { ...authorization, account_name: null, receiver_bank_account_number: null, receiver_bank: null },
  customer: { ...customer, id: 16_763, metadata: {}, international_format_phone: '+233551234987' },
  split: {},
  plan_object: {},
  subaccount: {},
};
export const sampleVerified = { ...sampleCharge, status: 'success', metadata: {} };

export const sampleRecipient = {
  active: true,
  createdAt: AT,
  currency: 'GHS',
  description: '',
  domain: 'test',
  email: 'ama@example.com',
  id: 25_753_454,
  integration: 519_035,
  metadata: null,
  name: 'Ama Mensah',
  recipient_code: 'RCP_u2tnoyjjvh95pzm',
  type: 'mobile_money',
  updatedAt: AT,
  is_deleted: false,
  isDeleted: false,
  details: {
    authorization_code: null,
    account_number: '0551234987',
    account_name: null,
    bank_code: 'MTN',
    bank_name: 'MTN',
  },
};

const transfer = {
  domain: 'test',
  amount: 10_000,
  currency: 'GHS',
  reference: charge.reference,
  source: 'balance',
  source_details: null,
  reason: 'Two books',
  status: 'pending',
  failures: null,
  transfer_code: 'TRF_1ptvuv321ahaa7q',
  titan_code: null,
  transferred_at: null,
  id: 860_703_114,
  integration: 519_035,
  createdAt: AT,
  updatedAt: AT,
};
/** A transfer as the answer to its creation. */
export const sampleTransfer = {
  ...transfer,
  transfersessionid: [],
  transfertrials: [],
  request: 1_068_439_313,
  recipient: sampleRecipient.id,
};
/** As it is verified, with its recipient written out. */
const { isDeleted: _, ...recipient } = sampleRecipient;
export const sampleVerifiedTransfer = {
  ...transfer,
  status: 'success',
  recipient: { ...recipient, details: { ...recipient.details, account_name: 'Ama Mensah' } },
  session: { provider: 'nip', id: '74849400998877667' },
  gateway_response: null,
};

const refund = {
  integration: 412_829,
  id: 3_018_284,
  domain: 'test',
  currency: 'GHS',
  amount: 10_000,
  status: 'pending',
  refunded_by: 'ama@example.com',
  customer_note: 'Refund',
  merchant_note: '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01',
  deducted_amount: 0,
  createdAt: AT,
};
/** A refund as it is answered when it was asked for. */
export const sampleRefund = {
  ...refund,
  channel: null,
  expected_at: '2026-11-30T12:00:00.000Z',
  updatedAt: AT,
  fully_deducted: false,
  transaction: {
    ...none,
    ...paid,
    id: sampleCharge.id,
    domain: 'test',
    reference: sampleCharge.reference,
    amount: 10_000,
    channel: 'mobile_money',
    currency: 'GHS',
    authorization: { exp_month: null, exp_year: null, account_name: null },
    customer: { international_format_phone: null },
    plan: {},
    subaccount: { currency: null },
    split: {},
  },
};
/** A refund as it is looked up. */
export const sampleFetchedRefund = {
  ...refund,
  status: 'processed',
  transaction: sampleCharge.id,
  dispute: null,
  settlement: null,
  refunded_at: null,
  fully_deducted: 0,
  bank_reference: null,
  transaction_reference: sampleCharge.reference,
  reason: 'PROCESSING',
  customer: { ...customer, id: 16_763, metadata: '', international_format_phone: '+233551234987' },
  refund_type: 'full',
  transaction_amount: 10_000,
  initiated_by: 'ama@example.com',
  refund_channel: 'mobile_money',
  session_id: null,
  collect_account_number: false,
};
export const sampleRefunds = {
  status: true,
  message: 'Refunds retrieved',
  data: [sampleFetchedRefund],
  meta: { total: 1, skipped: 0, perPage: '100', page: 1, pageCount: 1, failedRefundCount: 0 },
};

/** The frame of every reply. */
export const framed = <T>(data: T, message = 'Retrieved') => ({ status: true, message, data });

export const sampleRefusal = { status: false, message: 'Invalid key' };
export const sampleAbsent = {
  status: false,
  message: 'Entity not found',
  type: 'validation_error',
  code: 'validation_error',
};

/** As github.com/PaystackOSS/doc-code-snippets, doc/payments/webhooks/events.js has them. */
export const sampleNotification = { event: 'charge.success', data: { ...sampleCharge, status: 'success' } };
export const sampleTransferNotification = { event: 'transfer.success', data: sampleVerifiedTransfer };

/** As paystack.com/docs/payments/refunds, Listen to refund events, has it: its reference is not the refund's id. */
export const sampleRefundNotification = {
  event: 'refund.processed',
  data: {
    status: 'processed',
    transaction_reference: sampleCharge.reference,
    refund_reference: '132013318360',
    amount: '10000',
    currency: 'GHS',
    processor: 'mobile_money',
    customer: { first_name: 'Ama', last_name: 'Mensah', email: 'ama@example.com' },
    integration: 412_829,
    domain: 'test',
  },
};

/** Paystack's own examples of what the description leaves out. */
const EVENTS = 'https://github.com/PaystackOSS/doc-code-snippets, doc/payments/webhooks/events.js';
export const events = [
  ...[sampleNotification, sampleTransferNotification].map((body) => ({ body, source: EVENTS })),
  { body: sampleRefundNotification, source: 'https://paystack.com/docs/payments/refunds' },
];
