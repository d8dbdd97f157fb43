import { paypalConnector } from '@railyard/connector-wallet';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

/** The settings of an account at PayPal whose API is at an address. */
export const paypalSettings = (url: string) => ({
  base_url: url,
  client_id: 'the-client',
  client_secret: 'the-secret-of-the-app',
  webhook_id: 'WH-1',
});

/** A deployment with an account at PayPal. */
export const paypalConfig = (url: string, callbackUrl: string, port: number): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [paypalConnector],
  mids: [{ id: 'paypal', connector: paypalConnector.id, settings: paypalSettings(url) }],
  merchants: [
    { ...merchant, name: 'Example Shop', callbackUrl, callbackSecret, methods: [{ key: 'redirect', mid: 'paypal' }] },
  ],
});
