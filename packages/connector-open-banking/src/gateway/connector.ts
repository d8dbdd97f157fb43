import { defineConnector } from '@railyard/core';
import { onlineBankTransfer } from '../methods.ts';
import { version } from '../version.ts';
import { endpoints } from './endpoints.ts';
import { purchase, status } from './flows.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Bank transfers on the pages of a gateway and of the payer's bank. */
export const gatewayConnector = defineConnector({
  id: 'open-banking-gateway',
  contract: 1,
  version,
  title: 'Open banking, redirect gateway',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [serve(onlineBankTransfer, { purchase, status })],
  notifications,
});
