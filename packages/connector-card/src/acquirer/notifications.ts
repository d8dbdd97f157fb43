import { notificationsFor, timestampedHmac } from '@railyard/core';
import * as z from 'zod';
import { eventsOf } from './events.ts';
import { payment } from './replies.ts';
import { paymentExample, source } from './samples.ts';
import { type Settings, settings } from './settings.ts';

const reference = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';

const body = z.object({
  event_id: z.string().min(1),
  payment: payment.extend({ reference: z.string() }),
});

export const notifications = notificationsFor(settings)({
  verify: timestampedHmac((settings: Settings) => settings.notification_secret),
  codec: 'json',
  body,
  events: ({ payment }) => eventsOf(payment),
  acknowledge: { status: 204 },
  examples: [
    { body: { event_id: 'evt_2b7c', payment: { ...paymentExample, reference } }, source },
    { body: { event_id: 'evt_2b7d', payment: { ...paymentExample, reference, status: 'CHARGED_BACK' } }, source },
  ],
});
