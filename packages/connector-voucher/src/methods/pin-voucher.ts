import { checkedString, defineMethod, field, TEXTS } from '@railyard/core';
import * as z from 'zod';

const LENGTH = 16;

/** The digits of a PIN without the blanks and dashes between its groups. */
export const barePin = (typed: string): string => typed.replace(/[\s-]/g, '');

/** A voucher that was bought with cash and is redeemed by its PIN (2-methods.md, PIN voucher; its 16 digits: methods-catalogue.md, 31). */
export const pinVoucher = defineMethod({
  key: 'pin-voucher',
  title: { en: 'Voucher with PIN', pt: 'Voucher com PIN' },
  operations: {
    purchase: {
      parameters: z.strictObject({
        pin: field(
          checkedString((typed) => {
            const pin = barePin(typed);
            if (pin === '') return TEXTS.blank;
            if (!/^\d+$/.test(pin)) return TEXTS.notValid;
            return pin.length === LENGTH ? undefined : TEXTS.exactLength(LENGTH);
          }),
          {
            label: { en: 'Voucher PIN', pt: 'PIN do voucher' },
            help: { en: 'The 16 digits on the voucher.', pt: 'Os 16 dígitos do voucher.' },
            input: 'code',
            secret: true,
            sources: ['payer'],
            example: '1234567890123456',
          },
        ),
      }),
      completion: [],
    },
  },
});
