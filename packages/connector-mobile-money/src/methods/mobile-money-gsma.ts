import { defineMethod } from '@railyard/core';
import * as z from 'zod';
import { askedPhone, receiverPhone } from '../phones.ts';

/** Mobile money at a provider with the GSMA Mobile Money API: a merchant payment that the payer confirms on the phone, and a disbursement. */
export const mobileMoneyGsma = defineMethod({
  key: 'mobile-money-gsma',
  title: { en: 'Mobile money', pt: 'Dinheiro móvel' },
  operations: {
    purchase: {
      parameters: z.strictObject({ mobile_number: askedPhone() }),
      completion: ['confirm-on-device'],
    },
    credit: {
      parameters: z.strictObject({
        mobile_number: receiverPhone('254712345678'),
      }),
      completion: [],
    },
  },
});
