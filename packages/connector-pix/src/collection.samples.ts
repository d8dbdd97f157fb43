import { sampleCode } from './code.samples.ts';

export const sampleCollection = {
  id: 'col-51c07c2a',
  status: 'CREATED',
  amount: 10.5,
  currency: 'BRL',
  qrCode: sampleCode,
  expiryDate: '2026-11-22T12:00:00Z',
};

export const sampleAbsent = { error: 'No such collection.' };

export const sampleNotification = {
  id: 'col-51c07c2a',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  status: 'PAID',
  amount: 10.5,
  currency: 'BRL',
};
