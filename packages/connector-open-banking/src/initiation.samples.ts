export const samplePayment = {
  id: 'pi_4c1e90',
  status: 'RCVD',
  amount: '10.00',
  currency: 'GBP',
  authorization_url: 'https://bank.example/authorize/pi_4c1e90',
};

export const unknownOne = { code: 'not_found' };
