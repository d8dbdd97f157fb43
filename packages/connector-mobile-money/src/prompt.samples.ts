/** The provider's word for a request that waits for the code it sent. */
export const CODE_NEEDED = 'code_needed';

export const sampleRequest = {
  id: 'req_2f6c1d',
  status: 'waiting',
  amount: '1000',
  currency: 'XOF',
  message: 'Confirm the payment on your phone.',
  expires_at: '2026-11-21T12:02:00Z',
};

export const sampleAbsent = { code: 'not_found', message: 'There is no such request.' };

export const sampleNotification = {
  event_id: 'evt_90b1',
  request: {
    id: 'req_2f6c1d',
    reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
    status: 'confirmed',
    amount: '1000',
    currency: 'XOF',
  },
};
