import { defineConnector } from '@railyard/core';
import { conversionToCoin, cryptoConversion, tradingDeposit, tradingWithdrawal } from '../methods.ts';
import { version } from '../version.ts';
import { endpoints } from './endpoints.ts';
import { convertToCoin, deposit, payInCoin, status, withdraw } from './flows.ts';
import { notifications } from './notifications.ts';
import { settings } from './settings.ts';
import { statuses } from './statuses.ts';

/** Trading accounts and conversions at one gateway. */
export const gatewayConnector = defineConnector({
  id: 'crypto-gateway',
  contract: 1,
  version,
  title: 'Crypto, gateway provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints,
  statuses,
  serves: (serve) => [
    serve(tradingDeposit, { purchase: deposit, status }),
    serve(tradingWithdrawal, { credit: withdraw, status }),
    serve(cryptoConversion, { purchase: payInCoin, status }),
    serve(conversionToCoin, { purchase: convertToCoin, status }),
  ],
  notifications,
});
