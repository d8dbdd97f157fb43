import { defineMethod } from '@railyard/core';
import * as z from 'zod';
import { inPesos, payer } from './payer.ts';

/** A voucher that is paid in cash at the counter of a shop (2-methods.md, cash voucher). */
export const cashVoucher = defineMethod({
  key: 'cash-voucher',
  title: { en: 'Cash at a shop', pt: 'Dinheiro em uma loja' },
  // The replies of Conekta name its shops.
  subtitle: { en: 'OXXO and other shops', es: 'OXXO y otras tiendas', pt: 'OXXO e outras lojas' },
  operations: {
    purchase: { parameters: z.strictObject({}), needs: payer, completion: ['voucher'] },
  },
  ...inPesos,
});
