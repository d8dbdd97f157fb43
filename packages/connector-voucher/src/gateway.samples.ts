export const sampleVoucher = {
  voucher_id: 'vch_51c07c2a',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  state: 'open',
  amount: '10.00',
  currency: 'EUR',
};
export const samplePage = { ...sampleVoucher, page: 'https://voucher.example/pay/vch_51c07c2a' };
export const sampleTicket = {
  ...sampleVoucher,
  ticket: { number: '3381 0467 2259', bar_code: '338104672259000010', pay_before: '2026-11-24T12:00:00Z' },
};
export const sampleRedeemed = { ...sampleVoucher, state: 'paid' };
export const sampleRefusal = { code: 'document_not_valid', message: 'There is no such document.' };
export const samplePinUnknown = { code: 'pin_unknown', message: 'There is no such voucher.' };
export const sampleAbsent = { code: 'not_found', message: 'There is no such voucher.' };
