import { defineMethod } from '@railyard/core';
import * as z from 'zod';

/** A reference that the payer pays in cash at a counter (2-methods.md, Cash voucher reference flow). It takes no parameters. */
export const cashReference = defineMethod({
  key: 'cash-reference',
  title: { en: 'Cash at a counter', pt: 'Dinheiro no balcão' },
  operations: {
    purchase: { parameters: z.strictObject({}), completion: ['voucher'] },
  },
});
