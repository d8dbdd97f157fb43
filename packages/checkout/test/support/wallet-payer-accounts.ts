import { linkPayoutConnector, signedDepositConnector, walletPayinConnector } from '@railyard/connector-wallet';
import {
  linkPayoutSimulation,
  signedDepositSimulation,
  walletPayinSimulation,
} from '@railyard/connector-wallet/simulation';
import { depositSettings, provider } from '../../../connector-wallet/test/support/keys.ts';
import type { Family } from './family-service.ts';

/** Accounts at providers that want to know who pays. */
export const walletPayerAccounts: readonly Family[] = [
  {
    connector: signedDepositConnector,
    simulation: signedDepositSimulation,
    privateKey: provider.privateKey,
    settings: depositSettings,
  },
  {
    connector: walletPayinConnector,
    simulation: walletPayinSimulation,
    settings: { terminal_key: 'the-key-of-the-terminal', webhook_secret: 'a-secret-that-signs' },
  },
];

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
