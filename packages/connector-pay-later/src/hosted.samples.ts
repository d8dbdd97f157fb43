export const sampleOrder = {
  order_id: 'po_3f7a21',
  merchant_order: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  state: 'OPEN',
  amount: '10.00',
  currency: 'IDR',
  checkout_url: 'https://later.example/checkout/po_3f7a21',
};

export const sampleApproved = { ...sampleOrder, state: 'APPROVED' };
export const sampleRejected = { ...sampleOrder, state: 'REJECTED', state_reason: 'insufficient_credit' };

export const sampleRefund = {
  refund_id: 're_90c4d2',
  merchant_refund: '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01',
  state: 'REFUNDED',
  amount: '4.00',
  currency: 'IDR',
};

export const sampleProblem = { code: 'unknown', message: 'There is no such order.' };
export const sampleRefusal = { code: 'order_not_accepted', message: 'The order is not accepted.' };
export const sampleRefundRefusal = { code: 'refund_too_high', message: 'More than was paid cannot be given back.' };

export const sampleOrderNotification = { event_id: 'ev_1', order: sampleApproved };
export const sampleRefundNotification = { event_id: 'ev_2', order: sampleApproved, refund: sampleRefund };
