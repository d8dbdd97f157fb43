export const samplePayout = {
  payout_id: 'po_7c19',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  state: 'ACCEPTED',
  amount: '15.00',
  currency: 'INR',
};
export const sampleRefusal = { code: 'ACCOUNT_NOT_VALID', message: 'There is no such account.' };
export const sampleAbsent = { code: 'NOT_FOUND', message: 'There is no such payout.' };
export const sampleNotification = { event_id: 'ev_1', payout: { ...samplePayout, state: 'PAID' } };
