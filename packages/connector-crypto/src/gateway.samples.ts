export const sampleTransaction = {
  id: 'txn_51c07c2a',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  status: 'NEW',
  amount: '25.00',
  currency: 'USD',
};

export const sampleCompleted = { ...sampleTransaction, status: 'COMPLETED' };
export const sampleAbsent = { code: 'NOT_FOUND', message: 'No such transaction.' };
