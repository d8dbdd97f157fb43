export const sampleCode = {
  code_id: 'ips-20be7c',
  order_ref: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  status: 'PENDING',
  amount: '15.00',
  currency: 'EUR',
  qr_text: 'IPS:EUR:15.00:ips-20be7c',
  expires_at: '2026-11-21T12:01:00Z',
};

/** Its text is none of the Serbian IPS. */
export const sampleUnreadable = { ...sampleCode, currency: 'RSD' };
export const sampleRefusal = { code: 'MERCHANT_BLOCKED', message: 'The merchant may not be paid.' };
export const sampleAbsent = { code: 'NO_CODE' };
export const sampleNotRenewable = { code: 'NOT_PENDING', message: 'The code is paid, or was rejected.' };
export const sampleNotification = {
  event_id: 'ev-1',
  code_id: 'ips-20be7c',
  order_ref: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  code: 'ACSC',
  amount: '15.00',
  currency: 'EUR',
};
