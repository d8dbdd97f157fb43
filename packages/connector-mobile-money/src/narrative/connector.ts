import { defineConnector } from '@railyard/core';
import { mobileMoneyUganda } from '../methods.ts';
import { version } from '../version.ts';
import { endpoints } from './endpoints.ts';
import { purchase, status } from './flows.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Mobile money of Uganda, at a provider that takes a narrative with each deposit. */
export const narrativeConnector = defineConnector({
  id: 'mobile-money-narrative',
  contract: 1,
  version,
  title: 'Mobile money Uganda, narrative provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [serve(mobileMoneyUganda, { purchase, status })],
  notifications,
});
