export const sampleRedemption = {
  id: 'red_7d21',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  status: 'REDEEMED',
  amount: '10.00',
  currency: 'USD',
};

export const sampleAbsent = { code: 'REDEMPTION_UNKNOWN', message: 'No such redemption.' };
export const sampleRefusal = { code: 'PIN_UNKNOWN', message: 'No such voucher.' };
