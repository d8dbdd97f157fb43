import { defineMethod, limitsTable } from '@railyard/core';
import * as z from 'zod';

/** Cards on the provider's own page, which asks for everything (2-methods.md, completion kind redirect). */
export const cardHosted = defineMethod({
  key: 'card-hosted',
  title: { en: 'Card', pt: 'Cartão' },
  operations: { purchase: { parameters: z.strictObject({}), completion: ['redirect'] } },
  currencies: ['GBP'],
  limits: limitsTable('alphagov/pay-publicapi, API 1.0.3: CreateCardPaymentRequest.amount, in pence', [
    { currency: 'GBP', min: '0.01', max: '100000' },
  ]),
});
