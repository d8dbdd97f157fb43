export const sampleChallenge = { challenge_id: 'ch_0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11' };
export const sampleTransaction = {
  transaction_id: 'tx_81c0',
  merchant_reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  state: 'created',
  amount: '10.00',
  currency: 'EUR',
  checkout_url: 'https://wallet.example/checkout/tx_81c0',
};
const { checkout_url: _, ...reported } = sampleTransaction;
export const sampleNotification = { event_id: 'ev_1', ...reported, state: 'accepted' };
export const sampleRefusal = { code: 'country_not_served', message: 'The wallet is not offered in this country.' };
export const sampleSpent = { code: 'challenge_not_valid', message: 'The challenge is too old, or of another payment.' };
export const sampleAbsent = { code: 'not_found', message: 'There is no such transaction.' };
