import { defineConnector } from '@railyard/core';
import { mobileMoney } from '../methods.ts';
import { version } from '../version.ts';
import { endpoints } from './endpoints.ts';
import { credit, purchase, status } from './flows.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Mobile money of six countries at one provider: collections and payouts. */
export const hubConnector = defineConnector({
  id: 'mobile-money-hub',
  contract: 1,
  version,
  title: 'Mobile money, hub provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [serve(mobileMoney, { purchase, credit, status })],
  notifications,
});
