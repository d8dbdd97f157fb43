import { defineConnector } from '@railyard/core';
import { pixDocument, pixPersonal } from '../methods.ts';
import { version } from '../version.ts';
import { endpoints } from './endpoints.ts';
import { purchaseByDocument, purchaseByPersonalId, status } from './flows.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Pix at a provider that wants the payer's document. */
export const payerIdConnector = defineConnector({
  id: 'pix-payer-id',
  contract: 1,
  version,
  title: 'Pix, provider that wants the payer’s document',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [
    serve(pixDocument, { purchase: purchaseByDocument, status }),
    serve(pixPersonal, { purchase: purchaseByPersonalId, status }),
  ],
  notifications,
});
