import type { CheckoutConfig } from '@railyard/checkout';
import { collectionConnector, instantConnector } from '@railyard/connector-pix';
import * as z from 'zod';
import { merchant, midDefaults, testMerchant } from '../typical.ts';

export const serviceSchema = z.object({
  port: z.int(),
  dataDir: z.string(),
  databaseUrl: z.string().exactOptional(),
  encryptionKey: z.string().exactOptional(),
  provider: z.object({ url: z.string(), apiKey: z.string(), webhookSecret: z.string() }),
  callbackUrl: z.string().exactOptional(),
  takesCards: z.boolean().default(false),
});

/** The configuration of the checkout that is measured: one merchant, who takes Pix at two providers, and cards where that is asked. */
export async function configOf(request: z.output<typeof serviceSchema>) {
  const { provider, port, callbackUrl, takesCards, ...database } = request;
  const { url: base_url, apiKey: api_key, webhookSecret: webhook_secret } = provider;
  // Loaded where it is used: the time of a start is a figure of its own.
  const acquirer = takesCards ? (await import('@railyard/connector-card')).acquirerConnector : undefined;
  return {
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    ...database,
    rateLimits: false,
    callbackNetwork: 'any',
    connectors: [instantConnector, collectionConnector, ...(acquirer === undefined ? [] : [acquirer])],
    mids: [
      {
        id: 'pix-main',
        connector: instantConnector.id,
        settings: { base_url, api_key, webhook_secret },
        defaults: { pix: midDefaults },
      },
      {
        id: 'pix-collected',
        connector: collectionConnector.id,
        settings: { base_url, api_key },
        defaults: { 'pix-collection': { merchantType: 'SHOP', merchantName: 'Bench', accountId: 'a-1' } },
      },
      ...(acquirer === undefined
        ? []
        : [{ id: 'cards', connector: acquirer.id, settings: { base_url, api_key, webhook_secret } }]),
    ],
    merchants: [
      {
        ...merchant,
        name: 'Bench',
        digest: 'both',
        methods: [
          { key: 'pix', mid: 'pix-main' },
          { key: 'pix-collection', mid: 'pix-collected' },
          ...(acquirer === undefined ? [] : [{ key: 'card', mid: 'cards' }]),
        ],
        ...(callbackUrl !== undefined && {
          callbackUrl,
          callbackSecret: `whsec_${'A'.repeat(32)}`,
          testKey: testMerchant.key,
          test: { password: testMerchant.password, callbackUrl, callbackSecret: `whsec_${'B'.repeat(32)}` },
        }),
      },
    ],
  } satisfies CheckoutConfig;
}
