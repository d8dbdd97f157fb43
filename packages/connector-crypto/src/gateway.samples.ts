export const sampleTransaction = {
  id: 'txn_51c07c2a',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  status: 'NEW',
  amount: '25.00',
  currency: 'USD',
};

export const sampleCompleted = { ...sampleTransaction, status: 'COMPLETED' };
export const sampleAbsent = { code: 'NOT_FOUND', message: 'No such transaction.' };

const to = { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', asset: 'BTC', network: 'bitcoin' };
/** One that is shown, and those that are not: of another coin, of a network and of a coin that are not known, no address, and one of a test network. */
export const sampleAddresses = [
  to,
  { ...to, asset: 'LTC' },
  { ...to, network: 'lightning' },
  { ...to, address: 'no-address' },
  { ...to, address: 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn' },
];
