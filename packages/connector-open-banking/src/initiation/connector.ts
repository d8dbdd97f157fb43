import { defineConnector } from '@railyard/core';
import { openBanking } from '../methods.ts';
import { version } from '../version.ts';
import { endpoints } from './endpoints.ts';
import { purchase, status } from './flows.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Payments that a provider begins at the payer's bank, to any account of the payee. */
export const initiationConnector = defineConnector({
  id: 'open-banking-initiation',
  contract: 1,
  version,
  title: 'Open banking, initiation provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [serve(openBanking, { purchase, status })],
  notifications,
});
