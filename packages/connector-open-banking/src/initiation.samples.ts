export const samplePayment = {
  id: 'pi_4c1e90',
  status: 'RCVD',
  amount: '10.00',
  currency: 'GBP',
  authorization_url: 'https://bank.example/authorize/pi_4c1e90',
};

export const unknownOne = { code: 'not_found' };

export const sampleBanks = {
  banks: [
    { id: 'bank_north', name: 'North Bank' },
    { id: 'bank_south', name: 'South Bank' },
  ],
};

export const sampleNotification = {
  event_id: 'evt_5d20',
  payment: {
    id: 'pi_4c1e90',
    reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
    status: 'ACSC',
    amount: '10.00',
    currency: 'GBP',
  },
};
