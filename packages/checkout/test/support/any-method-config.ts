import { initiationConnector } from '@railyard/connector-open-banking';
import { instantConnector } from '@railyard/connector-pix';
import type { CheckoutConfig, GivenCatalogue } from '../../src/index.ts';
import { anyMethodConnector } from './any-method-connector.ts';
import { callbackSecret } from './receiver.ts';
import { payoutsByHash, testKeyAt } from './pix-config.ts';
import { merchant } from './service.ts';

/** A second merchant, who shares nothing with the first. */
export const otherMerchant = {
  key: '22222222-2222-4333-8444-555555555555',
  password: 'other-password-only',
  ...payoutsByHash,
};

type Given = {
  readonly providerUrl: string;
  readonly callbackUrl: string;
  readonly port: number;
  readonly password?: string;
};
type Offers = GivenCatalogue['merchants'][number]['methods'];

/** The methods of the list of bad inputs, under their own keys. */
const OFFERS: Offers = [
  { key: 'card', mid: 'any' },
  { key: 'crypto', mid: 'any' },
  { key: 'pix', mid: 'pix' },
  { key: 'open-banking', mid: 'open-banking' },
];

/** A deployment whose methods take anything, beside the real Pix and the real open banking. */
export function anyMethodConfig(
  { providerUrl, callbackUrl, port, password = merchant.password }: Given,
  offers: Offers = OFFERS,
): CheckoutConfig & GivenCatalogue {
  const merchantOf = (config: { key: string; testKey?: string; password: string }) => ({
    ...config,
    ...(config.testKey !== undefined && { test: testKeyAt(callbackUrl) }),
    name: 'Test shop',
    digest: 'both' as const,
    callbackUrl,
    callbackSecret,
    methods: offers,
  });
  return {
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    dataDir: 'memory',
    callbackNetwork: 'any',
    connectors: [anyMethodConnector, instantConnector, initiationConnector],
    mids: [
      { id: 'any', connector: anyMethodConnector.id, settings: { base_url: providerUrl } },
      {
        id: 'pix',
        channels: ['no-card'],
        connector: instantConnector.id,
        settings: { base_url: providerUrl, api_key: 'test-api-key', webhook_secret: 'test-webhook-secret' },
      },
      {
        id: 'open-banking',
        channels: ['no-card'],
        connector: initiationConnector.id,
        settings: {
          base_url: providerUrl,
          client_id: 'test-client',
          client_secret: 'test-client-secret',
          webhook_secret: 'test-notification-secret',
        },
      },
    ],
    merchants: [merchantOf({ ...merchant, password }), merchantOf(otherMerchant)],
  };
}
