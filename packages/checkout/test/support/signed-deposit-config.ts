import { signedDepositConnector } from '@railyard/connector-wallet';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';
import type { GivenProvider } from './spawn-service.ts';

/** A deployment with an account at the provider of signed deposits. Its API key is the partner’s private key, its secret the provider’s public one. */
export const signedDepositConfig = (
  { url, apiKey, webhookSecret }: GivenProvider,
  callbackUrl: string,
  port: number,
): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [signedDepositConnector],
  mids: [
    {
      id: 'deposits',
      connector: signedDepositConnector.id,
      settings: {
        base_url: url,
        partner_ids: { EUR: 'partner-eur' },
        private_key: apiKey,
        provider_certificate: webhookSecret,
        locale: 'hr-HR',
      },
    },
  ],
  merchants: [
    {
      ...merchant,
      name: 'Example Shop',
      callbackUrl,
      callbackSecret,
      methods: [{ key: 'cash-wallet-deposit', mid: 'deposits' }],
    },
  ],
});
