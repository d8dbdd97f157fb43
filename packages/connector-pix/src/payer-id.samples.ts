import { sampleCode } from './code.samples.ts';

export const sampleToken = { access_token: 'example-token', token_type: 'bearer', expires_in: 3600 };

export const samplePayment = {
  id: 'pay_2f6c1d',
  status: 'waiting',
  amount: 1000,
  currency: 'BRL',
  pix_code: sampleCode,
};

export const sampleAbsent = { error: { code: 'not_found', message: 'No such payment.' } };

export const sampleNotification = {
  event_id: 'n-88213',
  payment: {
    id: 'pay_2f6c1d',
    reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
    status: 'approved',
    amount: 1000,
    currency: 'BRL',
  },
};
