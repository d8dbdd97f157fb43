import { defineMethod, nestBrackets } from '@railyard/core';
import * as z from 'zod';
import { cardCurrencies, cardLimits } from '../limits.ts';
import { setsInUse } from './card-set.ts';
import { delivery } from './delivery.ts';
import { descriptor } from './descriptor.ts';
import { installments } from './installments.ts';
import { order } from './order.ts';
import { parties } from './parties.ts';
import { payerNeeds } from './payer-needs.ts';
import { taxDocument, taxDocumentRules } from './tax-document.ts';
import { verifiesCards, zeroAmount } from './zero-amount.ts';

/**
 * Payments by card. Card numbers are never among the parameters: they are entered on the page, or come from the vault.
 *
 * @example { parameters: { card: { descriptor: 'SHOP BOOKS', shipping: { country: 'BR', cost: '100' } } } }
 */
export const card = defineMethod({
  key: 'card',
  title: { en: 'Card', pt: 'Cartão' },
  read: nestBrackets,
  operations: {
    purchase: {
      card: true,
      zeroAmount: verifiesCards,
      parameters: z.strictObject({
        sets: setsInUse,
        zero_amount: zeroAmount,
        ...installments,
        ...taxDocument,
        ...descriptor,
        ...delivery,
        ...order,
      }),
      needs: payerNeeds,
      rules: taxDocumentRules,
      completion: ['redirect'],
    },
    debit: {
      card: true,
      zeroAmount: verifiesCards,
      parameters: z.strictObject({ sets: setsInUse, zero_amount: zeroAmount, ...descriptor, ...parties }),
      needs: payerNeeds,
      completion: ['redirect'],
    },
    credit: { card: true, parameters: z.strictObject({ sets: setsInUse, ...descriptor }), completion: [] },
    transfer: {
      card: true,
      payeeCard: true,
      parameters: z.strictObject({ sets: setsInUse, ...descriptor }),
      needs: payerNeeds,
      completion: ['redirect'],
    },
  },
  currencies: cardCurrencies,
  limits: cardLimits,
});
