import { defineMethod } from '@railyard/core';
import * as z from 'zod';

/** A voucher that is bought or redeemed on the provider's page (methods-catalogue.md, 48). It takes no parameters. */
export const voucherRedirect = defineMethod({
  key: 'voucher-redirect',
  title: { en: 'Voucher', pt: 'Voucher' },
  operations: {
    purchase: { parameters: z.strictObject({}), completion: ['redirect'] },
  },
});
