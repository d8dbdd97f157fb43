import { defineConnector } from '@railyard/core';
import { pix } from '../methods.ts';
import { version } from '../version.ts';
import { endpoints } from './endpoints.ts';
import { credit, purchase, renew, status } from './flows.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Pix by QR code, and payouts to Pix keys. */
export const instantConnector = defineConnector({
  id: 'pix-instant',
  contract: 1,
  version,
  title: 'Pix, instant provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [serve(pix, { purchase, credit, renew, status })],
  notifications,
});
