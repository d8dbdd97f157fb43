import { fromMinorUnits, notificationsFor } from '@railyard/core';
import * as z from 'zod';
import { paymentBody } from './endpoints.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

const body = z.object({
  event_id: z.string().min(1),
  payment: paymentBody.pick({ id: true, status: true, amount: true, currency: true }).extend({ reference: z.string() }),
});

export const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'shared-secret',
    header: 'x-notification-token',
    value: (settings) => settings.notification_token,
  },
  codec: 'json',
  body,
  events: ({ event_id, payment }) => [
    {
      id: event_id,
      kind: 'payment',
      providerReference: payment.id,
      merchantReference: payment.reference,
      provider: { status: payment.status },
      outcome: statuses.read({
        word: payment.status,
        providerReference: payment.id,
        amount: fromMinorUnits(payment.amount, payment.currency),
      }),
    },
  ],
  acknowledge: { status: 200, body: 'ok' },
  examples: [
    {
      body: {
        event_id: 'n-88213',
        payment: {
          id: 'pay_2f6c1d',
          reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
          status: 'approved',
          amount: 1000,
          currency: 'BRL',
        },
      },
      source: 'packages/connector-pix/README.md, Provider that wants the payer’s document',
    },
  ],
});
