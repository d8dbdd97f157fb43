export const sampleToken = { authorization: 'token-of-an-hour', expires_in: 3600 };

export const sampleReference = {
  reference: '930002622769',
  merchant_id: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  state: 'OPEN',
  amount: '10.00',
  currency: 'USD',
};

export const samplePayment = { ...sampleReference, expires_at: '2026-11-24T12:00:00Z' };

export const sampleAbsent = { code: 'UNKNOWN', message: 'There is no such reference.' };
export const sampleRefusal = { code: 'AMOUNT_TOO_HIGH', message: 'The amount is too high for a counter.' };
export const sampleUsed = { code: 'MERCHANT_ID_USED', message: 'The merchant id was used before.' };
