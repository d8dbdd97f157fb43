import { notificationsFor, timestampedHmac } from '@railyard/core';
import * as z from 'zod';
import { samplePayment, source } from './endpoints.ts';
import { notifiedPayment, outcomeOf } from './replies.ts';
import { type Settings, settings } from './settings.ts';

const { id, amount, currency } = samplePayment;
const reference = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';

export const notifications = notificationsFor(settings)({
  verify: timestampedHmac((settings: Settings) => settings.notification_secret),
  codec: 'json',
  body: z.object({ event_id: z.string().min(1), payment: notifiedPayment }),
  events: ({ event_id, payment }) => [
    {
      id: event_id,
      kind: 'payment',
      providerReference: payment.id,
      merchantReference: payment.reference,
      provider: { status: payment.status },
      outcome: outcomeOf(payment),
    },
  ],
  acknowledge: { status: 204 },
  examples: [{ body: { event_id: 'evt_5d20', payment: { id, reference, status: 'ACSC', amount, currency } }, source }],
});
