import { defineMethod, field } from '@railyard/core';
import { z } from 'zod';

/** A reference that the payer takes to a shop and pays in cash. */
export const cashVoucher = defineMethod({
  key: 'cash-voucher',
  title: 'Cash voucher',
  operations: {
    purchase: {
      parameters: z.strictObject({
        single: field(z.boolean().default(true), { label: 'The reference can be paid once' }),
      }),
      completion: ['voucher'],
    },
  },
  currencies: ['USD'],
});
