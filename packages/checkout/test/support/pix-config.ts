import { instantConnector } from '@railyard/connector-pix';
import type { Place } from './data-dir.ts';
import type { PixProvider } from './pix-provider.ts';
import { callbackSecret } from './receiver.ts';

export const merchant = {
  key: '11111111-2222-4333-8444-555555555555',
  testKey: '99999999-2222-4333-8444-555555555555',
  password: 'test-password-only',
};

/** A deployment with one Pix provider and one merchant. */
export function pixConfig(
  provider: Pick<PixProvider, 'url' | 'apiKey' | 'webhookSecret'>,
  callbackUrl: string,
  port: number,
  place: Place = { dataDir: 'memory' },
) {
  return {
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    ...place,
    callbackNetwork: 'any' as const,
    connectors: [instantConnector],
    mids: [
      {
        id: 'pix-main',
        connector: instantConnector.id,
        settings: { base_url: provider.url, api_key: provider.apiKey, webhook_secret: provider.webhookSecret },
        defaults: { pix: { source_account_number: '123456', branch_identifier: '0001' } },
      },
    ],
    merchants: [
      {
        key: merchant.key,
        testKey: merchant.testKey,
        name: 'Loja Exemplo',
        password: merchant.password,
        digest: 'both' as const,
        callbackUrl,
        callbackSecret,
        methods: [{ key: 'pix', mid: 'pix-main' }],
      },
    ],
  };
}
