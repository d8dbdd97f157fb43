import { notificationsFor } from '@railyard/core';
import * as z from 'zod';
import { sampleTransaction, source } from './endpoints.ts';
import { told, transactionBody } from './replies.ts';
import { type Settings, settings } from './settings.ts';

export const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha512',
    header: 'x-gateway-signature',
    encoding: 'hex',
    key: (settings: Settings) => settings.webhook_secret,
  },
  codec: 'json',
  body: transactionBody.extend({ event: z.string().min(1) }),
  events: ({ event, transaction }) => [
    {
      id: event,
      kind: 'payment',
      providerReference: transaction.id,
      merchantReference: transaction.reference,
      provider: { status: transaction.status },
      outcome: told(transaction),
    },
  ],
  examples: [
    { body: { event: 'ev_7d0f3a52', transaction: { ...sampleTransaction, status: 'COMPLETED' } }, source },
    { body: { event: 'ev_7d0f3a53', transaction: { ...sampleTransaction, status: 'EXPIRED' } }, source },
  ],
});
