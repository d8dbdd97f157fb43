export const sampleAddress = {
  id: 'adr_7d0f3a52',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  asset: 'BTC',
  network: 'bitcoin',
};

export const sampleDeposit = {
  txid: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  output: 0,
  status: 'confirmed',
  confirmations: 3,
  asset: 'BTC',
  amount: '0.25000000',
  value: { amount: '0.25000000', currency: 'BTC' },
};

export const sampleAbsent = { error: { code: 'not_found', message: 'There is no such address.' } };

export const sampleNotifications: readonly unknown[] = [
  {
    address: sampleAddress,
    deposits: [
      { ...sampleDeposit, status: 'seen', confirmations: 0 },
      { ...sampleDeposit, output: 2, status: 'seen', confirmations: 0 },
    ],
  },
  { address: sampleAddress, deposits: [sampleDeposit] },
  // Of a coin that is not known, so that its deposit is worth nothing that can be said.
  {
    address: { ...sampleAddress, asset: 'NEWCOIN' },
    deposits: [{ ...sampleDeposit, asset: 'NEWCOIN', value: undefined }],
  },
];
