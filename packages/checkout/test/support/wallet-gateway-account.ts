import { walletGatewayConnector } from '@railyard/connector-wallet';
import { walletGatewaySimulation } from '@railyard/connector-wallet/simulation';
import type { Family } from './family-service.ts';

/** An account at the gateway to wallets. */
export const walletGatewayAccount: Family = {
  connector: walletGatewayConnector,
  simulation: walletGatewaySimulation,
  settings: { api_token: 'the-token-of-the-shop', notification_key: 'a-key-that-signs-them' },
};
