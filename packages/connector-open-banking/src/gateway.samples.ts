export const sampleTransaction = {
  transaction_id: 'tr_81b2f0',
  status: 'NEW',
  amount: '10.00',
  currency: 'EUR',
  redirect_url: 'https://gateway.example/pay/tr_81b2f0',
};

export const unknownOne = { error_code: 'UNKNOWN_TRANSACTION' };
