import { type Condition, field } from '@railyard/core';
import * as z from 'zod';

/** The account's word on zero amounts (protocol: Amount format, 3). */
export const zeroAmount = field(z.enum(['refused', 'verified']).default('refused'), {
  label: 'Zero amount',
  help: 'Of the account: verified, zero with `recurring_init` checks the card; refused, there is none.',
  sources: ['mid'],
  request: false,
});

export const verifiesCards: Condition = { path: 'parameters.zero_amount', in: ['verified'] };
