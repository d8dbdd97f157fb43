const ours = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';
const stated = { TransactionId: 'dep_5f21', Amount: 10.5, CurrencyId: 978 };

export const sampleDeposit = {
  ...stated,
  PublicTransactionId: ours,
  Status: 'open',
  Url: 'https://wallet.example/deposit/dep_5f21',
};
export const sampleRefusal = { Code: 'CURRENCY_NOT_ENABLED', Message: 'The partner has no account in this currency.' };
export const sampleUsed = { Code: 'TRANSACTION_EXISTS', Message: 'There is a transaction of this id.' };
export const sampleAbsent = { Code: 'TRANSACTION_NOT_FOUND', Message: 'The transaction does not exist.' };
export const sampleNotification = {
  ...stated,
  Parameters: [{ Key: 'PublicTransactionId', Value: ours }],
  Status: 'paid',
  Signature: 'c2lnbmVkIGJ5IHRoZSBwcm92aWRlcg==',
};
/** After it the status call answers `sampleAbsent`, where the wallet belonged to another person. */
export const sampleClosed = { ...sampleNotification, Status: 'closed' };
