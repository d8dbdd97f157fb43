export const sampleVoucher = {
  voucher_id: 'vch_51c07c2a',
  merchant_reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  state: 'open',
  amount: '10.00',
  currency: 'EUR',
  page: 'https://voucher.example/pay/vch_51c07c2a',
};

export const sampleAbsent = { code: 'not_found', message: 'No such voucher.' };
export const sampleRefusal = { code: 'currency_not_enabled', message: 'The currency is not enabled.' };

const { page: _, ...notified } = sampleVoucher;
export const sampleNotification = { ...notified, state: 'paid' };
