import { notificationsFor } from '@railyard/core';
import { sampleTransaction, source } from './endpoints.ts';
import { notifiedTransaction, outcomeOf } from './replies.ts';
import { type Settings, settings } from './settings.ts';

const { transaction_id, amount, currency } = sampleTransaction;
const merchant_reference = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';

export const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'x-signature',
    encoding: 'hex',
    key: (settings: Settings) => settings.notification_secret,
  },
  codec: 'form',
  body: notifiedTransaction,
  events: (transaction) => [
    {
      // The provider numbers no events; a transaction takes each status once.
      id: `${transaction.transaction_id}/${transaction.status}`,
      kind: 'payment',
      providerReference: transaction.transaction_id,
      merchantReference: transaction.merchant_reference,
      provider: { status: transaction.status },
      outcome: outcomeOf(transaction),
    },
  ],
  acknowledge: { status: 200, body: 'OK' },
  examples: [{ body: { transaction_id, merchant_reference, status: 'PAID', amount, currency }, source }],
});
