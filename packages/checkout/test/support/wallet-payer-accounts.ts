import { linkPayoutConnector, signedDepositConnector } from '@railyard/connector-wallet';
import { linkPayoutSimulation, signedDepositSimulation } from '@railyard/connector-wallet/simulation';
import { depositSettings, provider } from '../../../connector-wallet/test/support/keys.ts';
import type { Family } from './family-service.ts';

/** An account at the provider of signed deposits. */
export const signedDepositAccount: Family = {
  connector: signedDepositConnector,
  simulation: signedDepositSimulation,
  privateKey: provider.privateKey,
  settings: depositSettings,
};

/** An account at the provider that pays out by a link. */
export const linkPayoutAccount: Family = {
  connector: linkPayoutConnector,
  simulation: linkPayoutSimulation,
  settings: {
    api_key: 'the-api-key',
    webhook_secret: 'a-secret-that-signs',
    account_uuid: '5d1b7f0e-2c64-4f7a-9e3d-8a40c1b2d3e4',
  },
};
