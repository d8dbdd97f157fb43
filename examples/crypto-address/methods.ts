import { defineMethod } from '@railyard/core';
import { z } from 'zod';

/** Coins sent to an address of the payer's own payment; how many is up to the payer. */
export const cryptoDeposit = defineMethod({
  key: 'crypto-deposit',
  title: 'Crypto',
  operations: { purchase: { parameters: z.strictObject({}), completion: ['address'], openAmount: true } },
  currencies: ['BTC', 'USDT'],
});
