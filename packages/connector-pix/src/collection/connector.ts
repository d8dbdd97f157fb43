import { defineConnector } from '@railyard/core';
import { pixCollection } from '../methods.ts';
import { version } from '../version.ts';
import { endpoints } from './endpoints.ts';
import { purchase, status } from './flows.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Pix through a collection account. */
export const collectionConnector = defineConnector({
  id: 'pix-collection',
  contract: 1,
  version,
  title: 'Pix, collection provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [serve(pixCollection, { purchase, status })],
  notifications,
});
