export const sampleBanks = {
  banks: [
    { code: 'B-01', name: 'Banco Ejemplo' },
    { code: 'B-02', name: 'Banco Modelo' },
  ],
};

export const sampleOrder = {
  order: 'or-51d0',
  state: 'waiting',
  amount: '15.00',
  currency: 'COP',
  page: 'https://bank.example/pay/or-51d0',
};
const { page: _, ...opened } = sampleOrder;
export const samplePayee = {
  bank: 'Banco Ejemplo',
  holder: 'Tienda Ejemplo',
  number: '032180000118359719',
  reference: '48210573',
};
export const sampleDetails = { ...opened, currency: 'MXN', pay_to: samplePayee };
export const sampleRefusal = { code: 'bank_closed', message: 'This bank takes no payments now.' };
export const sampleAbsent = { code: 'order_not_known' };
export const sampleNotification = {
  event: 'ev-1',
  order: 'or-51d0',
  ours: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  state: 'paid',
  amount: '15.00',
  currency: 'COP',
};
