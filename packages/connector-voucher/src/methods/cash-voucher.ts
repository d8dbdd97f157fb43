import { defineMethod } from '@railyard/core';
import * as z from 'zod';
import { inPesos, payer } from './payer.ts';

/** A voucher that is paid in cash at the counter of a shop (2-methods.md, cash voucher). */
export const cashVoucher = defineMethod({
  key: 'cash-voucher',
  title: { en: 'Cash at a shop', pt: 'Dinheiro em uma loja' },
  operations: {
    purchase: { parameters: z.strictObject({}), needs: payer, completion: ['voucher'] },
  },
  ...inPesos,
});
