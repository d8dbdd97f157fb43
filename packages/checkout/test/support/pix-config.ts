import { instantConnector } from '@railyard/connector-pix';
import type { Place } from './data-dir.ts';
import type { PixProvider } from './pix-provider.ts';
import { callbackSecret, testCallbackSecret } from './receiver.ts';

/** Pays out by the hash alone, as clients of the protocol do, from this machine. */
export const payoutsByHash = {
  moneyOut: true,
  legacySignatures: 'money-out' as const,
  legacyAddresses: ['127.0.0.0/8', '::1'],
};

export const merchant = {
  key: '11111111-2222-4333-8444-555555555555',
  testKey: '99999999-2222-4333-8444-555555555555',
  password: 'test-password-only',
  test: { password: 'password-of-the-test-key' },
  ...payoutsByHash,
};

/** Who asks with the test key. */
export const trial = { key: merchant.testKey, password: merchant.test.password };

/** What the test key has of its own. */
export const testKeyAt = (callbackUrl: string) => ({
  ...merchant.test,
  callbackUrl,
  callbackSecret: testCallbackSecret,
});

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
        test: testKeyAt(callbackUrl),
        ...payoutsByHash,
        digest: 'both' as const,
        callbackUrl,
        callbackSecret,
        methods: [{ key: 'pix', mid: 'pix-main' }],
      },
    ],
  };
}
