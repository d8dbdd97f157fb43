import { notificationsFor, amountOf, amountFields, withAmount } from '@railyard/core';
import * as z from 'zod';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Anybody can send these, so they only say where to look: the status is asked before anything changes. */
export const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: withAmount(z.object({ id: z.string().min(1), reference: z.string(), status: z.string(), ...amountFields })),
  events: (body) => [
    {
      // The provider numbers no events; a collection takes each status once.
      id: `${body.id}/${body.status}`,
      kind: 'payment',
      providerReference: body.id,
      merchantReference: body.reference,
      provider: { status: body.status },
      outcome: statuses.read({ word: body.status, providerReference: body.id, amount: amountOf(body) }),
    },
  ],
  examples: [
    {
      body: {
        id: 'col-51c07c2a',
        reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
        status: 'PAID',
        amount: 10.5,
        currency: 'BRL',
      },
      source: 'packages/connector-pix/README.md, Collection provider',
    },
  ],
});
