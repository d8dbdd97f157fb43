import { acquirerConnector } from '@railyard/connector-card';
import { addressesConnector } from '@railyard/connector-crypto';
import { instantConnector } from '@railyard/connector-pix';
import * as z from 'zod';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant, payoutsByHash } from '../support/pix-config.ts';
import { callbackSecret } from '../support/receiver.ts';
import { hostileConnector } from './hostile-connector.ts';
import { twoStepConnector } from './two-step-connector.ts';

export const givenSchema = z.object({
  port: z.int(),
  dataDir: z.string(),
  /** A PostgreSQL server in place of the embedded database. */
  databaseUrl: z.string().exactOptional(),
  encryptionKey: z.string().exactOptional(),
  pixUrl: z.string(),
  twoStepUrl: z.string(),
  acquirerUrl: z.string(),
  cryptoUrl: z.string(),
  hostileUrl: z.string(),
  callbackUrl: z.string(),
  /** How far its clock is ahead. */
  offsetMs: z.number(),
});

export type Given = z.output<typeof givenSchema>;

export const pixCredentials = { api_key: 'test-api-key', webhook_secret: 'test-webhook-secret' };

export const acquirerCredentials = { api_key: 'test-api-key', webhook_secret: 'a-secret-of-the-notifications' };

export const cryptoCredentials = { api_key: 'test-api-key', webhook_secret: 'test-notification-secret' };

/** One merchant, with a provider of Pix, one whose payments take two calls, an acquirer of cards, a provider of crypto addresses and a hostile one. */
export function crashConfig({
  pixUrl,
  twoStepUrl,
  acquirerUrl,
  cryptoUrl,
  hostileUrl,
  callbackUrl,
  offsetMs: _offset,
  ...given
}: Given): CheckoutConfig {
  return {
    ...given,
    publicUrl: `http://127.0.0.1:${given.port}`,
    callbackNetwork: 'any',
    connectors: [instantConnector, twoStepConnector, acquirerConnector, addressesConnector, hostileConnector],
    mids: [
      {
        id: 'pix-main',
        connector: instantConnector.id,
        settings: { base_url: pixUrl, ...pixCredentials },
        defaults: { pix: { source_account_number: '123456', branch_identifier: '0001' } },
      },
      { id: 'two-step', connector: twoStepConnector.id, settings: { base_url: twoStepUrl } },
      { id: 'card', connector: acquirerConnector.id, settings: { base_url: acquirerUrl, ...acquirerCredentials } },
      {
        id: 'crypto-main',
        connector: addressesConnector.id,
        settings: { base_url: cryptoUrl, ...cryptoCredentials },
      },
      { id: 'hostile', connector: hostileConnector.id, settings: { base_url: hostileUrl } },
    ],
    merchants: [
      {
        key: merchant.key,
        name: 'Loja Exemplo',
        password: merchant.password,
        ...payoutsByHash,
        digest: 'both',
        callbackUrl,
        callbackSecret,
        methods: [
          { key: 'pix', mid: 'pix-main' },
          { key: 'two-step', mid: 'two-step' },
          { key: 'card', mid: 'card' },
          { key: 'crypto-receive', mid: 'crypto-main' },
          { key: 'hostile-late', mid: 'hostile' },
          { key: 'hostile-part', mid: 'hostile' },
          { key: 'hostile-hold', mid: 'hostile' },
        ],
      },
    ],
  };
}
