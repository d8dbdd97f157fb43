// Run by itself: the checkout with Pix, on the database that it is told.
import { createLog, startCheckout, type Checkout } from '@railyard/checkout';
import { collectionConnector, instantConnector } from '@railyard/connector-pix';
import { openSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import * as z from 'zod';
import { merchant, midDefaults, testMerchant } from '../typical.ts';
import { serveRequests } from './serve-requests.ts';

const requestSchema = z.object({
  port: z.int(),
  dataDir: z.string(),
  databaseUrl: z.string().exactOptional(),
  encryptionKey: z.string().exactOptional(),
  provider: z.object({ url: z.string(), apiKey: z.string(), webhookSecret: z.string() }),
  callbackUrl: z.string().exactOptional(),
  takesCards: z.boolean().default(false),
});

// Lines are made and written as in production, only to nowhere.
const nowhere = openSync(devNull, 'w');
const log = createLog({ write: (line) => writeSync(nowhere, line) });
let checkout: Checkout | undefined;

serveRequests(
  async (request) => {
    const { provider, port, callbackUrl, takesCards, ...database } = requestSchema.parse(request);
    const { url: base_url, apiKey: api_key, webhookSecret: webhook_secret } = provider;
    // Loaded where it is used: the time of a start is a figure of its own.
    const acquirer = takesCards ? (await import('@railyard/connector-card')).acquirerConnector : undefined;
    checkout = await startCheckout(
      {
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
      },
      { log },
    );
    return checkout.url;
  },
  async () => checkout?.stop(),
);
