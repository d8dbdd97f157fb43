import { defineConnector } from '@railyard/core';
import { cryptoReceive, cryptoReceiveFiat, cryptoWallet } from '../methods.ts';
import { version } from '../version.ts';
import { endpoints } from './endpoints.ts';
import { purchase, status } from './flows.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Coins received at addresses, one for each payment. */
export const addressesConnector = defineConnector({
  id: 'crypto-addresses',
  contract: 1,
  version,
  title: 'Crypto, address provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [
    serve(cryptoWallet, { purchase, status }),
    serve(cryptoReceive, { purchase, status }),
    serve(cryptoReceiveFiat, { purchase, status }),
  ],
  notifications,
});
