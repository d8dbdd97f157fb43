import { defineMethod } from '@railyard/core';
import * as z from 'zod';
import { askedPhone } from '../phones.ts';

/** Mobile money that the payer confirms with a code sent to the phone (protocol: Completion behaviour, Mobile money). */
export const mobileMoneyOtp = defineMethod({
  key: 'mobile-money-otp',
  title: 'Mobile money with code',
  operations: {
    purchase: {
      parameters: z.strictObject({
        mobile_number: askedPhone({ label: 'Mobile number', help: 'With the country code. The code is sent to it.' }),
        receiver_number: askedPhone({
          label: 'Number of the receiver',
          help: 'Where another person receives it.',
        }).optional(),
      }),
      completion: ['collect', 'confirm-on-device'],
    },
  },
});
