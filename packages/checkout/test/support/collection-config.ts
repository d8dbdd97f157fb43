import { collectionConnector } from '@railyard/connector-pix';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant } from './pix-config.ts';
import { callbackSecret } from './receiver.ts';

/** A deployment whose provider signs no notification. */
export const collectionConfig = (providerUrl: string, callbackUrl: string, port: number): CheckoutConfig => ({
  publicUrl: `http://127.0.0.1:${port}`,
  port,
  connectors: [collectionConnector],
  dataDir: 'memory',
  callbackNetwork: 'any',
  mids: [
    {
      id: 'collection',
      connector: collectionConnector.id,
      settings: { base_url: providerUrl, api_key: 'test-api-key' },
      defaults: { 'pix-collection': { merchantType: 'retail', merchantName: 'Loja', accountId: 'a-1' } },
    },
  ],
  merchants: [
    {
      key: merchant.key,
      name: 'Loja Exemplo',
      password: merchant.password,
      digest: 'both',
      callbackUrl,
      callbackSecret,
      methods: [{ key: 'pix-collection', mid: 'collection' }],
    },
  ],
});
