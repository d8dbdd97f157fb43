import { sampleCode } from './code.samples.ts';

export const sampleCharge = {
  qr_code_id: 'qr_9d36b84f',
  status: 'PENDING',
  amount: '10.00',
  currency: 'BRL',
  base_64_image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  pix_copy_and_paste: sampleCode,
  expires_at: '2026-11-21T13:00:00Z',
};

export const samplePayout = { payout_id: 'po_51c07c2a', status: 'PROCESSING', amount: '10.00', currency: 'BRL' };

export const sampleAbsent = { code: 'not_found', message: 'No such payment.' };

export const sampleNotification = {
  event_id: 'evt_7d0f3a52',
  event: 'charge.updated',
  created_at: '2026-11-21T12:00:05Z',
  data: {
    id: 'qr_9d36b84f',
    external_id: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
    status: 'PAID',
    amount: '10.00',
    currency: 'BRL',
  },
};
