import { generateKeyPairSync } from 'node:crypto';
import { obUkConnector } from '@railyard/connector-open-banking';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

/** The settings of an account at a bank whose API is at an address, and its page at the root of it. */
export function obUkSettings(url: string, more: object = {}) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    base_url: url,
    authorization_url: new URL('/', url).href,
    oauth_url: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    issuer: 'https://bank.example',
    client_id: 'the-client',
    signing_key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
    kid: 'the-key-id',
    signature_issuer: '0015800001041RHAAY/the-software',
    ...more,
  };
}

/** A deployment with an account at a bank of Open Banking UK. */
export const obUkConfig = (url: string, callbackUrl: string, port: number, more: object = {}): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  dataDir: 'memory',
  callbackNetwork: 'any',
  connectors: [obUkConnector],
  mids: [{ id: 'bank', connector: obUkConnector.id, settings: obUkSettings(url, more) }],
  merchants: [
    { ...merchant, name: 'Bookshop', callbackUrl, callbackSecret, methods: [{ key: 'open-banking', mid: 'bank' }] },
  ],
});
