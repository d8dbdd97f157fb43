export const samplePayout = {
  payout_id: 'lp_20d4',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  status: 'sent',
  amount: 10.5,
  currency: 'CAD',
};
export const sampleRefusal = { code: 'fee_method_not_allowed', message: 'The account pays its fees otherwise.' };
export const sampleUsed = { code: 'reference_used', message: 'The reference was used before.' };
export const sampleAbsent = { code: 'not_found', message: 'There is no such payout.' };
export const sampleNotification = { event_id: 'ev_1', ...samplePayout, status: 'taken' };
