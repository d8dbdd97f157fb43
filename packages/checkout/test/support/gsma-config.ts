import { gsmaConnector } from '@railyard/connector-mobile-money';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

/** The settings of an account at a provider whose API and tokens are at one address. */
export const gsmaSettings = (url: string) => ({
  base_url: url,
  oauth_url: url,
  consumerKey: 'the-consumer',
  consumerSecret: 'the-consumer-secret',
  apiKey: 'the-api-key',
  party_value: '2999',
});

/** A deployment with an account at a provider of the GSMA Mobile Money API. */
export const gsmaConfig = (url: string, callbackUrl: string, port: number): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [gsmaConnector],
  mids: [{ id: 'gsma', connector: gsmaConnector.id, settings: gsmaSettings(url) }],
  merchants: [
    {
      ...merchant,
      name: 'Duka',
      callbackUrl,
      callbackSecret,
      methods: [{ key: 'mobile-money-gsma', mid: 'gsma' }],
    },
  ],
});
