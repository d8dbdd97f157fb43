import { acquirerConnector } from '@railyard/connector-card';
import { acquirerSimulation } from '@railyard/connector-card/simulation';
import { addressesConnector, gatewayConnector as cryptoGateway } from '@railyard/connector-crypto';
import {
  addressesSimulation,
  gatewaySimulation as cryptoGatewaySimulation,
} from '@railyard/connector-crypto/simulation';
import { hubConnector, narrativeConnector, promptConnector } from '@railyard/connector-mobile-money';
import { hubSimulation, narrativeSimulation, promptSimulation } from '@railyard/connector-mobile-money/simulation';
import { gatewayConnector as bankGateway, initiationConnector } from '@railyard/connector-open-banking';
import {
  gatewaySimulation as bankGatewaySimulation,
  initiationSimulation,
} from '@railyard/connector-open-banking/simulation';
import { collectionConnector, instantConnector, payerIdConnector } from '@railyard/connector-pix';
import { collectionSimulation, instantSimulation, payerIdSimulation } from '@railyard/connector-pix/simulation';
import type { Family } from './family-service.ts';

const api_key = 'the-api-key';
const webhook_secret = 'a-secret-that-signs';

/** An account at each provider of cards, coins, phones, banks' own pages and Pix. */
export const fivePackagesAccounts: readonly Family[] = [
  {
    connector: acquirerConnector,
    simulation: acquirerSimulation,
    settings: { api_key, webhook_secret },
    // Apple Pay and Google Pay need settings of the merchant.
    methods: ['card', 'card-redirect', 'card-redirect-alt'],
  },
  {
    connector: addressesConnector,
    simulation: addressesSimulation,
    settings: { api_key, webhook_secret },
    defaults: { 'crypto-receive-fiat': { conversion: true, crypto_type: 'BTC' } },
  },
  {
    connector: cryptoGateway,
    simulation: cryptoGatewaySimulation,
    settings: { merchant_id: 'm-1', api_key, webhook_secret },
  },
  { connector: hubConnector, simulation: hubSimulation, settings: { api_key, webhook_secret } },
  {
    connector: narrativeConnector,
    simulation: narrativeSimulation,
    settings: { username: 'the-user-name', password: 'the-password' },
  },
  { connector: promptConnector, simulation: promptSimulation, settings: { api_key, webhook_secret } },
  {
    connector: bankGateway,
    simulation: bankGatewaySimulation,
    settings: { merchant_id: 'm-1', api_key, webhook_secret },
  },
  {
    connector: initiationConnector,
    simulation: initiationSimulation,
    settings: { client_id: 'the-client', client_secret: 'the-client-secret', webhook_secret },
  },
  { connector: instantConnector, simulation: instantSimulation, settings: { api_key, webhook_secret } },
  {
    connector: collectionConnector,
    simulation: collectionSimulation,
    settings: { api_key },
    defaults: { 'pix-collection': { merchantType: 'retail', merchantName: 'Shop', accountId: 'acc-1' } },
  },
  {
    connector: payerIdConnector,
    simulation: payerIdSimulation,
    settings: {
      client_id: 'the-client',
      client_secret: 'the-client-secret',
      notification_token: 'a-token-that-they-carry',
    },
  },
];
