import { notificationsFor, timestampedHmac } from '@railyard/core';
import * as z from 'zod';
import { clearedEvent, eventsOf, eventsOfAction } from './events.ts';
import { notifiedAction, payment } from './replies.ts';
import { actionExample, paymentExample, source } from './samples.ts';
import { type Settings, settings } from './settings.ts';

const reference = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';

const body = z.object({
  event_id: z.string().min(1),
  payment: payment.extend({ reference: z.string() }),
  /** The capture, void, reversal or refund that the notification is about; absent: the payment itself. */
  action: notifiedAction.optional(),
  /** Sent a day later, when the schemes have cleared the payment. */
  clearing: z.object({ arn: z.string().min(1) }).optional(),
});

export const notifications = notificationsFor(settings)({
  verify: timestampedHmac((settings: Settings) => settings.webhook_secret),
  codec: 'json',
  body,
  events: ({ payment, action, clearing }) => {
    if (clearing !== undefined) return [clearedEvent(payment, clearing)];
    return action === undefined ? eventsOf(payment) : eventsOfAction(payment, action);
  },
  acknowledge: { status: 204 },
  examples: [
    { body: { event_id: 'evt_2b7c', payment: { ...paymentExample, reference } }, source },
    { body: { event_id: 'evt_2b7d', payment: { ...paymentExample, reference, status: 'CHARGED_BACK' } }, source },
    { body: { event_id: 'evt_2b7e', payment: { ...paymentExample, reference, status: 'CHARGEBACK_WON' } }, source },
    { body: { event_id: 'evt_2b7f', payment: { ...paymentExample, reference, status: 'HOLD_EXPIRED' } }, source },
    {
      body: {
        event_id: 'evt_2b81',
        payment: { ...paymentExample, reference },
        clearing: { arn: '74537604221222132710572' },
      },
      source,
    },
    {
      body: {
        event_id: 'evt_2b80',
        payment: { ...paymentExample, reference, status: 'AUTHORISED' },
        action: { ...actionExample, type: 'capture', status: 'DECLINED', response_code: '91' },
      },
      source,
    },
  ],
});
