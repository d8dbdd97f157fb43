import { bankCollectionConnector, bankGatewayConnector, bankIpsConnector } from '@railyard/connector-bank-transfer';
import {
  bankCollectionSimulation,
  bankGatewaySimulation,
  bankIpsSimulation,
} from '@railyard/connector-bank-transfer/simulation';
import type { Family } from './family-service.ts';

const account = { merchantType: 'RETAIL', merchantName: 'Shop', accountId: 'acc-1' };
const collections = bankCollectionConnector.serves.map(({ method: { key } }) => [key, account]);

/** Signs what the bank of IPS codes reports. */
export const ipsSecret = 'a-secret-that-signs';

/** An account at the provider of each style of bank transfer. */
export const bankTransferAccounts: readonly Family[] = [
  {
    connector: bankCollectionConnector,
    simulation: bankCollectionSimulation,
    settings: { api_key: 'the-api-key' },
    defaults: Object.fromEntries(collections),
  },
  {
    connector: bankGatewayConnector,
    simulation: bankGatewaySimulation,
    settings: { token: 'the-token', signing_secret: 'a-secret-that-signs' },
  },
  {
    connector: bankIpsConnector,
    simulation: bankIpsSimulation,
    settings: { api_key: 'the-api-key', signing_secret: ipsSecret },
  },
];
