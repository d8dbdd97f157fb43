export const sampleTransfer = {
  transfer: 'tr-9c41',
  state: 'open',
  amount: '15.00',
  currency: 'EUR',
  next: { kind: 'beneficiary' },
};

export const sampleAccounts = [
  { id: 'acc-1', name: 'Current account' },
  { id: 'acc-2', name: 'Savings account' },
];
export const sampleChoice = { ...sampleTransfer, next: { kind: 'account', accounts: sampleAccounts } };
export const sampleCode = { ...sampleTransfer, next: { kind: 'code', challenge: 'account' } };
const { next: _, ...ordered } = sampleTransfer;
export const sampleOrdered = ordered;

export const sampleWrong = { code: 'not_right', message: 'Try again.' };
export const sampleRefusal = { code: 'locked', message: 'There were too many wrong codes.' };
export const sampleAbsent = { code: 'transfer_not_known' };
export const sampleNotification = {
  event: 'ev-1',
  transfer: 'tr-9c41',
  ours: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  state: 'done',
  amount: '15.00',
  currency: 'EUR',
};
