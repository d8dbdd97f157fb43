export const sampleTransfer = {
  transfer_id: 'bt_40c1',
  state: 'opened',
  amount: '15.00',
  currency: 'TRY',
  bank_page: 'https://bank.example/pay/bt_40c1',
};
const { bank_page: _, ...opened } = sampleTransfer;
export const sampleCode = { ...opened, currency: 'THB', qr_text: '00020101021230TRANSFERbt_40c15303764' };
export const samplePrompt = { ...opened, currency: 'MYR', prompt: 'Approve the payment in the app of your bank.' };
export const samplePayee = {
  bank: 'Banco Ejemplo',
  holder: 'Tienda Ejemplo',
  number: '032180000118359719',
  reference: '48210573',
};
export const sampleDetails = { ...opened, currency: 'MXN', pay_to: samplePayee };
export const sampleDeposit = {
  ...opened,
  currency: 'BDT',
  pay_before: '2026-11-24T12:00:00Z',
  pay_to: {
    bank: 'Example Bank',
    branch: 'Main street',
    holder: 'Example Shop',
    number: '0045-778120',
    reference: 'D48210573',
  },
};
export const sampleInSteps = { ...opened, currency: 'EUR', next: { kind: 'beneficiary' } };
export const sampleAccounts = [
  { id: 'acc-1', name: 'Current account' },
  { id: 'acc-2', name: 'Savings account' },
];
export const sampleChoice = { ...sampleInSteps, next: { kind: 'account', accounts: sampleAccounts } };
export const sampleNextCode = { ...sampleInSteps, next: { kind: 'code', challenge: 'account' } };
export const sampleOrdered = { ...opened, currency: 'EUR' };
export const sampleBanks = {
  banks: [
    { code: 'B-01', name: 'Banco Ejemplo' },
    { code: 'B-02', name: 'Banco Modelo' },
  ],
};
export const sampleRefusal = { code: 'bank_not_known', message: 'There is no such bank.' };
export const sampleWrong = { code: 'not_right', message: 'Try again.' };
export const sampleLocked = { code: 'locked', message: 'There were too many wrong codes.' };
export const sampleAbsent = { code: 'not_found', message: 'There is no such transfer.' };
export const sampleNotification = {
  event: 'ev_1',
  transfer_id: 'bt_40c1',
  our_id: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  state: 'done',
  amount: '15.00',
  currency: 'TRY',
};
