import { notificationsFor, timestampedHmac } from '@railyard/core';
import * as z from 'zod';
import { outcomeOf, payment } from './replies.ts';
import { type Settings, settings } from './settings.ts';

const body = z.object({ event_id: z.string().min(1), payment: payment.safeExtend({ reference: z.string() }) });

/** The provider's own reports. The signature is checked on the bytes as they came, before they are read. */
export const notifications = notificationsFor(settings)({
  verify: timestampedHmac((settings: Settings) => settings.webhook_secret),
  codec: 'json',
  body,
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
  examples: [
    {
      body: {
        event_id: 'evt_90b1',
        payment: {
          id: 'pay_7c2e',
          reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
          status: 'PAID',
          amount: '10.00',
          currency: 'EUR',
        },
      },
      source: 'README.md, The provider’s API',
    },
  ],
});
