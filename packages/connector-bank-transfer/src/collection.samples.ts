export const sampleAccount = {
  bank: 'Banco Ejemplo',
  holder: 'Tienda Ejemplo',
  number: '2850590940090418135201',
  reference: '48210573',
};

const sampleOpened = {
  id: 'c-7f20b1',
  status: 'CREATED',
  amount: 1500,
  currency: 'ARS',
  expiryDate: '2026-11-24T12:00:00Z',
};

export const sampleTransfer = { ...sampleOpened, bankAccount: sampleAccount };

export const sampleServicePayment = {
  ...sampleOpened,
  currency: 'PEN',
  paymentCode: { service: 'Tienda Ejemplo', code: '4821057390' },
};

export const sampleDebit = { ...sampleOpened, payerMessage: 'Authorise the debit at your bank.' };

export const sampleWrongCode = { code: 'OTP_NOT_VALID', message: 'The code is wrong, or too old.' };
export const sampleRefusal = { code: 'ACCOUNT_CLOSED', message: 'The collection account is closed.' };

export const sampleAbsent = { code: 'NOT_FOUND', message: 'There is no such collection.' };

export const sampleNotification = {
  collection: {
    id: 'c-7f20b1',
    reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
    status: 'PAID',
    amount: 1500,
    currency: 'ARS',
  },
};
