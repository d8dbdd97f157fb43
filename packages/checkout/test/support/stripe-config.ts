import { stripeConnector } from '@railyard/connector-card';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

/** The settings of an account at Stripe whose API is at an address. */
export const stripeSettings = (url: string) => ({
  base_url: url,
  secret_key: 'the-secret-key-of-stripe',
  webhook_secret: 'the-signing-secret-of-stripe',
});

/** A deployment with an account at Stripe. */
export const stripeConfig = (url: string, callbackUrl: string, port: number): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [stripeConnector],
  mids: [
    {
      id: 'stripe',
      connector: stripeConnector.id,
      settings: stripeSettings(url),
      defaults: { card: { sets: ['descriptor'] } },
    },
  ],
  merchants: [
    { ...merchant, name: 'Example Shop', callbackUrl, callbackSecret, methods: [{ key: 'card', mid: 'stripe' }] },
  ],
});
