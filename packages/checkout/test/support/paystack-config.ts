import { paystackConnector } from '@railyard/connector-mobile-money';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

export const paystackSettings = (url: string) => ({ base_url: url, secret_key: 'sk_test_of_an_account' });

/** A deployment with an account at Paystack. */
export const paystackConfig = (url: string, callbackUrl: string, port: number): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [paystackConnector],
  mids: [{ id: 'ghana', connector: paystackConnector.id, settings: paystackSettings(url) }],
  merchants: [
    {
      ...merchant,
      name: 'Makola',
      callbackUrl,
      callbackSecret,
      methods: [{ key: 'mobile-money-paystack', mid: 'ghana' }],
    },
  ],
});
