export const samplePayee = {
  bank: 'Example Bank',
  branch: 'Main street',
  holder: 'Example Shop',
  number: '0045-778120',
  reference: 'D48210573',
};

export const sampleDeposit = {
  deposit: 'dp-8814',
  status: 'expected',
  amount: '15.00',
  currency: 'BDT',
  pay_before: '2026-11-24T12:00:00Z',
  pay_to: samplePayee,
};

export const sampleRefusal = { code: 'branch_not_known', message: 'The bank has no such branch.' };
export const sampleAbsent = { code: 'deposit_not_known' };
export const sampleNotification = {
  deposit: 'dp-8814',
  order: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  status: 'credited',
  amount: '15.00',
  currency: 'BDT',
};
