// Run by itself: a deployment with wallets as a process of its own, which ends by an exception while a payment is with the acquirer.
import { readFileSync } from 'node:fs';
import { acquirerConnector } from '@railyard/connector-card';
import { applePayWallet, googlePayWallet } from '@railyard/connector-card/wallet-tokens';
import type { Transport } from '@railyard/runtime';
import { type CheckoutConfig, type GivenCatalogue, startCheckout } from '../../src/index.ts';

const [, , file = ''] = process.argv;
const given: Omit<CheckoutConfig & GivenCatalogue, 'connectors' | 'wallets'> = JSON.parse(readFileSync(file, 'utf8'));

const transport: Transport = {
  send() {
    setImmediate(() => {
      throw new Error('The process ends here.');
    });
    return new Promise<never>(() => {});
  },
};

await startCheckout(
  { ...given, connectors: [acquirerConnector], wallets: [applePayWallet, googlePayWallet] },
  { transport },
);
process.send?.('listening');
