export const sampleTransaction = {
  Status: 'OK',
  StatusCode: '0',
  TransactionStatus: 'PENDING',
  TransactionReference: 'T7d0f3a52',
  Amount: '5000',
  CurrencyCode: 'UGX',
};

export const sampleAbsent = {
  Response: { Status: 'ERROR', StatusCode: '404', StatusMessage: 'There is no such transaction.' },
};
