import { notificationsFor, timestampedHmac } from '@railyard/core';
import { sampleAddress, sampleDeposit, source } from './endpoints.ts';
import { eventsOf, notifiedBody } from './replies.ts';
import { type Settings, settings } from './settings.ts';

/** One per transaction and block, until the last one counts; a transaction may pay the address by several outputs. */
export const notifications = notificationsFor(settings)({
  verify: timestampedHmac((settings: Settings) => settings.webhook_secret),
  codec: 'json',
  body: notifiedBody,
  events: (body, { settings }) => eventsOf(body, settings.confirmations),
  acknowledge: { status: 204 },
  examples: [
    {
      body: {
        address: sampleAddress,
        deposits: [
          { ...sampleDeposit, status: 'seen', confirmations: 0 },
          { ...sampleDeposit, output: 2, status: 'seen', confirmations: 0 },
        ],
      },
      source,
    },
    { body: { address: sampleAddress, deposits: [sampleDeposit] }, source },
  ],
});
