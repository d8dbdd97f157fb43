import { referenceVoucherConnector, voucherGatewayConnector } from '@railyard/connector-voucher';
import { referenceVoucherSimulation, voucherGatewaySimulation } from '@railyard/connector-voucher/simulation';
import type { Family } from './family-service.ts';

/** An account at the provider of each style of voucher. */
export const voucherAccounts: readonly Family[] = [
  {
    connector: referenceVoucherConnector,
    simulation: referenceVoucherSimulation,
    settings: { private_key: 'the-private-key', gateway_id: 'gateway-1' },
  },
  {
    connector: voucherGatewayConnector,
    simulation: voucherGatewaySimulation,
    settings: { api_key: 'the-api-key', api_secret: 'the-api-secret' },
  },
];
