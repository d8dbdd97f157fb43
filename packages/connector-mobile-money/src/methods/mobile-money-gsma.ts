import { defineMethod, field } from '@railyard/core';
import * as z from 'zod';
import { askedPhone, sentPhone } from '../phones.ts';

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
        mobile_number: field(sentPhone(), {
          label: 'Number of the receiver',
          help: 'Digits with the calling code, with or without a plus.',
          example: '254712345678',
        }),
      }),
      completion: [],
    },
  },
});
