import { defineMethod, field, redirectUrl, text } from '@railyard/core';
import * as z from 'zod';
import { cardCurrencies, cardLimits } from '../limits.ts';
import { walletNeeds } from './wallet-needs.ts';

const purchase = {
  card: { path: 'parameters.flow', in: ['card'] },
  parameters: z.strictObject({
    flow: field(z.enum(['virtual', 'card']).default('virtual'), {
      label: 'Flow',
      help: 'Of the account: virtual, the wallet asks for everything; card, the payer enters the card on our page.',
      sources: ['mid'],
      request: false,
    }),
    subdomain: field(text({ max: 63, pattern: /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/ }), {
      label: 'Project subdomain',
      help: 'Of the merchant at the wallet’s provider.',
      sources: ['mid'],
      request: false,
    }).optional(),
  }),
  needs: {
    error_url: field(redirectUrl(), { label: 'Address for failed payments' }),
    ...walletNeeds,
  },
  completion: ['redirect'],
} as const;

/** A wallet that pays by card on a page of its own. */
export const cardRedirect = defineMethod({
  key: 'card-redirect',
  title: { en: 'Card by redirect', pt: 'Cartão em outra página' },
  operations: { purchase },
  currencies: cardCurrencies,
  limits: cardLimits,
});

/** The second wallet of the kind. */
export const cardRedirectAlt = defineMethod({
  key: 'card-redirect-alt',
  title: { en: 'Card by redirect, second wallet', pt: 'Cartão em outra página, segunda carteira' },
  operations: { purchase },
  currencies: cardCurrencies,
  limits: cardLimits,
});
