import { notificationsFor, timestampedHmac } from '@railyard/core';
import * as z from 'zod';
import { sampleRequest, source } from './endpoints.ts';
import { notifiedRequest, outcomeOf } from './replies.ts';
import { type Settings, settings } from './settings.ts';

const { id, amount, currency } = sampleRequest;
const reference = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';

export const notifications = notificationsFor(settings)({
  verify: timestampedHmac((settings: Settings) => settings.webhook_secret),
  codec: 'json',
  body: z.object({ event_id: z.string().min(1), request: notifiedRequest }),
  events: ({ event_id, request }) => [
    {
      id: event_id,
      kind: 'payment',
      providerReference: request.id,
      merchantReference: request.reference,
      provider: { status: request.status },
      outcome: outcomeOf(request),
    },
  ],
  acknowledge: { status: 204 },
  examples: [
    { body: { event_id: 'evt_90b1', request: { id, reference, status: 'confirmed', amount, currency } }, source },
  ],
});
