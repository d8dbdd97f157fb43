import { defineMethod } from '@railyard/core';
import * as z from 'zod';
import { askedPhone } from '../phones.ts';

/** Mobile money that the payer confirms with a code sent to the phone (protocol: Completion behaviour, Mobile money). */
export const mobileMoneyOtp = defineMethod({
  key: 'mobile-money-otp',
  title: { en: 'Mobile money with code', pt: 'Dinheiro móvel com código' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        mobile_number: askedPhone({
          help: {
            en: 'The code is sent to it.',
            pt: 'O código é enviado para ele.',
          },
        }),
        receiver_number: askedPhone({
          label: 'Number of the receiver',
          help: 'Where another person receives it.',
        }).optional(),
      }),
      completion: ['collect', 'confirm-on-device'],
    },
  },
});
