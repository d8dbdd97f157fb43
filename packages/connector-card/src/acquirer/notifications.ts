import { notificationsFor } from '@railyard/core';
import * as z from 'zod';
import { eventsOf } from './events.ts';
import { payment } from './replies.ts';
import { paymentExample, source } from './samples.ts';
import { settings } from './settings.ts';

const body = z.object({
  event_id: z.string().min(1),
  payment: payment.extend({ reference: z.string() }),
});

export const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'x-signature',
    prefix: 'sha256=',
    encoding: 'hex',
    key: (settings) => settings.notification_secret,
    over: ({ headers, body }) => `${headers['x-timestamp'] ?? ''}.${body}`,
    timestamp: { read: ({ headers }) => seconds(headers['x-timestamp']), toleranceSeconds: 300 },
  },
  codec: 'json',
  body,
  events: ({ payment }) => eventsOf(payment),
  acknowledge: { status: 204 },
  examples: [
    { body: { event_id: 'evt_2b7c', payment: paymentExample }, source },
    { body: { event_id: 'evt_2b7d', payment: { ...paymentExample, status: 'CHARGED_BACK' } }, source },
  ],
});

function seconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number.parseInt(text, 10) : undefined;
}
