import { amountFields, amountOf, notificationsFor, withAmount } from '@railyard/core';
import * as z from 'zod';
import { sampleTransaction, source } from './endpoints.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Anybody can send these, so they only say where to look: the transaction is asked before anything changes. */
export const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'form',
  body: withAmount(
    z.object({
      transaction_reference: z.string().min(1),
      external_reference: z.string(),
      status: z.string(),
      ...amountFields,
    }),
  ),
  events: ({ transaction_reference: reference, external_reference: ours, status, ...amount }) => [
    {
      // The provider numbers no events; a transaction takes each status once.
      id: `${reference}/${status}`,
      kind: 'payment',
      providerReference: reference,
      merchantReference: ours,
      provider: { status },
      outcome: statuses.read({ word: status, providerReference: reference, amount: amountOf(amount) }),
    },
  ],
  examples: [
    {
      body: {
        transaction_reference: sampleTransaction.TransactionReference,
        external_reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
        status: 'SUCCEEDED',
        amount: sampleTransaction.Amount,
        currency: sampleTransaction.CurrencyCode,
      },
      source,
    },
  ],
});
