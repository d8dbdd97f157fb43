/** Replies as the provider documents them. Replace them with those of your provider's documentation. */
export const samplePayment = {
  id: 'pay_7c2e',
  status: 'OPEN',
  amount: '10.00',
  currency: 'EUR',
  payer_url: 'https://pay.example/p/pay_7c2e',
};

export const sampleRefund = { id: 'ref_11d0', payment_id: 'pay_7c2e', status: 'PAID', amount: '4.00', currency: 'EUR' };

export const sampleAbsent = { code: 'not_found', message: 'There is no such payment.' };

export const sampleNotification = {
  event_id: 'evt_90b1',
  payment: { ...samplePayment, reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11', status: 'PAID' },
};
