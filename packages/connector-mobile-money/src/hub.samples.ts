export const sampleCharge = {
  reference: 'chg_7d0f3a52',
  status: 'processing',
  amount: 100.5,
  currency: 'KES',
  message: 'Enter your PIN on your phone to confirm.',
  expires_at: '2026-11-21T12:02:00Z',
};

export const samplePayout = {
  reference: 'out_51c07c2a',
  status: 'processing',
  amount: 100.5,
  currency: 'KES',
};

export const sampleAbsent = { error: { code: 'not_found', message: 'There is no such reference.' } };
