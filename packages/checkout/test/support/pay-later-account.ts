import { hostedConnector } from '@railyard/connector-pay-later';
import { hostedSimulation } from '@railyard/connector-pay-later/simulation';
import type { Family } from './family-service.ts';

/** An account at the provider of hosted payments, at a sub-provider that needs the name and the number of a product. */
export const payLaterAccount: Family = {
  connector: hostedConnector,
  simulation: hostedSimulation,
  settings: { shop_id: 'shop-1', api_key: 'the-api-key', notification_secret: 'a-notification-secret' },
  defaults: { 'hosted-payment-id': { sub_provider: 'S4' } },
};
