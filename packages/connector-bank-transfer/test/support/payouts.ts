import type { Parameters } from '../../../core/test/support/session-of.ts';

const account = { paymentMethod: 'BCP', cashAccount: '1234567890' };

/** A payout that each country takes. */
export const payoutTo: Readonly<Record<string, { readonly currency: string; readonly parameters: Parameters }>> = {
  IN: { currency: 'INR', parameters: { ...account, ifscCode: 'HDFC0000001' } },
  ID: { currency: 'IDR', parameters: account },
  TH: { currency: 'THB', parameters: account },
  MX: { currency: 'MXN', parameters: { ...account, cashAccount: '032180000118359719' } },
  BR: {
    currency: 'BRL',
    parameters: { paymentMethod: 'EMAIL', cashAccount: 'fulano@example.com', taxNumber: '52998224725' },
  },
  CO: {
    currency: 'COP',
    parameters: { ...account, cashAccountType: 'CORRIENTE', idType: 'CC', identity: '1020304050' },
  },
  PE: {
    currency: 'PEN',
    parameters: {
      ...account,
      cashAccountType: 'AHORROS',
      cci: '01136600010003254221',
      name: 'Rosa Quispe',
      email: 'rosa@example.com',
      phone: '+51987654321',
      idType: 'DNI',
      identity: '10117410',
    },
  },
};
