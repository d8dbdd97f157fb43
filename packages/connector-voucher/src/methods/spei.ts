import { defineMethod } from '@railyard/core';
import * as z from 'zod';
import { inPesos, payer } from './payer.ts';

/** A transfer by SPEI to an account (CLABE) that was made for the order (2-methods.md, Mexico SPEI). */
export const spei = defineMethod({
  key: 'spei',
  title: { en: 'Bank transfer (SPEI)', pt: 'Transferência bancária (SPEI)' },
  operations: {
    purchase: { parameters: z.strictObject({}), needs: payer, completion: ['payment-details'] },
  },
  ...inPesos,
});
