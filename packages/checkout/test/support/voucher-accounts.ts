import { pinVoucherConnector, referenceVoucherConnector, voucherGatewayConnector } from '@railyard/connector-voucher';
import {
  pinVoucherSimulation,
  referenceVoucherSimulation,
  voucherGatewaySimulation,
} from '@railyard/connector-voucher/simulation';
import type { Family } from './family-service.ts';

const api_key = 'the-api-key';

/** An account at the provider of each style of voucher. */
export const voucherAccounts: readonly Family[] = [
  {
    connector: pinVoucherConnector,
    simulation: pinVoucherSimulation,
    settings: { api_key },
  },
  {
    connector: referenceVoucherConnector,
    simulation: referenceVoucherSimulation,
    settings: { private_key: 'the-private-key', gateway_id: 'gateway-1' },
  },
  {
    connector: voucherGatewayConnector,
    simulation: voucherGatewaySimulation,
    settings: { api_key, api_secret: 'the-api-secret' },
  },
];
