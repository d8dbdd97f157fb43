import { notificationsFor, type RawNotification } from '@railyard/core';
import * as z from 'zod';
import { samplePayout, source } from './examples.ts';
import { notifiedData, outcomeOf } from './replies.ts';
import { type Settings, settings } from './settings.ts';

/** Nothing but the event's name stands outside of `data`. */
const FRAME = /^\{"event":"[a-z._]{1,64}","data":(\{[^]*\})\}$/;

/**
 * The provider signs the JSON of `data` alone, byte for byte. Another frame around it is not its own: no text is signed by an empty one.
 * The event's name is not signed, so nothing depends on it.
 */
function signedData({ body }: RawNotification): string {
  return FRAME.exec(body)?.[1] ?? '';
}

export const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'x-signature',
    encoding: 'hex',
    key: (settings: Settings) => settings.webhook_secret,
    over: signedData,
  },
  codec: 'json',
  body: z.object({ data: notifiedData }),
  events: ({ data }) => [
    {
      // The provider numbers no events; a charge or a payout takes each status once.
      id: `${data.reference}/${data.status}`,
      kind: 'payment',
      providerReference: data.reference,
      merchantReference: data.payment_reference,
      provider: { status: data.status },
      outcome: outcomeOf(data),
    },
  ],
  // Anything but 200 is sent again, for three days.
  acknowledge: { status: 200 },
  examples: [
    {
      body: {
        event: 'payout.updated',
        data: { ...samplePayout, payment_reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11', status: 'success' },
      },
      source,
    },
  ],
});
