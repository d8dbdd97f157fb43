import { notificationsFor, timestampedHmac, amountOf, amountFields, withAmount } from '@railyard/core';
import * as z from 'zod';
import { type Settings, settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Charges and payouts; `id` is the `qr_code_id` or the `payout_id`. */
const body = z.object({
  event_id: z.string().min(1),
  data: withAmount(z.object({ id: z.string().min(1), external_id: z.string(), status: z.string(), ...amountFields })),
});

export const notifications = notificationsFor(settings)({
  verify: timestampedHmac((settings: Settings) => settings.webhook_secret),
  codec: 'json',
  body,
  events: ({ event_id, data }) => [
    {
      id: event_id,
      kind: 'payment',
      providerReference: data.id,
      merchantReference: data.external_id,
      provider: { status: data.status },
      outcome: statuses.read({ word: data.status, providerReference: data.id, amount: amountOf(data) }),
    },
  ],
  acknowledge: { status: 204 },
  examples: [
    {
      body: {
        event_id: 'evt_7d0f3a52',
        event: 'charge.updated',
        created_at: '2026-11-21T12:00:05Z',
        data: {
          id: 'qr_9d36b84f',
          external_id: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
          status: 'PAID',
          amount: '10.00',
          currency: 'BRL',
        },
      },
      source: 'packages/connector-pix/README.md, Instant provider',
    },
  ],
});
