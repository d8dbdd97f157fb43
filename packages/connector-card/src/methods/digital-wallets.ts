import { defineMethod, field } from '@railyard/core';
import * as z from 'zod';
import { cardCurrencies, cardLimits } from '../limits.ts';
import { setsInUse } from './card-set.ts';
import { descriptor } from './descriptor.ts';
import { payerNeeds } from './payer-needs.ts';

/** The account's word on the card flow (protocol: Digital wallet methods, rules 3 to 5). */
const cardFlow = field(z.enum(['none', 'decrypted', 'token']).default('none'), {
  label: 'Card flow',
  help: 'Of the account: decrypted, cards of opened tokens; token, only tokens, and keeps cards; none, only tokens.',
  sources: ['mid'],
  request: false,
});

const purchase = {
  parameters: z.strictObject({ sets: setsInUse, card_flow: cardFlow, ...descriptor }),
  needs: payerNeeds,
  wallet: true,
  completion: ['redirect'],
} as const;

/**
 * Wallet A of the protocol. Its token is never among the parameters: the page gets it from the wallet.
 *
 * @example { methods: ['apple-pay'], parameters: { 'apple-pay': { descriptor: 'SHOP BOOKS' } } }
 */
export const applePay = defineMethod({
  key: 'apple-pay',
  title: 'Apple Pay',
  operations: { purchase },
  currencies: cardCurrencies,
  limits: cardLimits,
});

/** Wallet B of the protocol. */
export const googlePay = defineMethod({
  key: 'google-pay',
  title: 'Google Pay',
  operations: { purchase },
  currencies: cardCurrencies,
  limits: cardLimits,
});
