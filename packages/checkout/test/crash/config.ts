import { instantConnector } from '@railyard/connector-pix';
import * as z from 'zod';
import type { CheckoutConfig } from '../../src/index.ts';
import { anyMethodConnector } from '../support/any-method-connector.ts';
import { merchant } from '../support/pix-config.ts';
import { callbackSecret } from '../support/receiver.ts';
import { twoStepConnector } from './two-step-connector.ts';

export const givenSchema = z.object({
  port: z.int(),
  dataDir: z.string(),
  /** A PostgreSQL server in place of the embedded database. */
  databaseUrl: z.string().exactOptional(),
  encryptionKey: z.string().exactOptional(),
  pixUrl: z.string(),
  twoStepUrl: z.string(),
  cardUrl: z.string(),
  callbackUrl: z.string(),
  /** How far its clock is ahead. */
  offsetMs: z.number(),
});

export type Given = z.output<typeof givenSchema>;

export const pixCredentials = { api_key: 'test-api-key', webhook_secret: 'test-webhook-secret' };

/** One merchant, with a provider of Pix, one whose payments take two calls, and one that holds money until it is captured. */
export function crashConfig({
  pixUrl,
  twoStepUrl,
  cardUrl,
  callbackUrl,
  offsetMs: _offset,
  ...given
}: Given): CheckoutConfig {
  return {
    ...given,
    publicUrl: `http://127.0.0.1:${given.port}`,
    callbackNetwork: 'any',
    connectors: [instantConnector, twoStepConnector, anyMethodConnector],
    mids: [
      {
        id: 'pix-main',
        connector: instantConnector.id,
        settings: { base_url: pixUrl, ...pixCredentials },
        defaults: { pix: { source_account_number: '123456', branch_identifier: '0001' } },
      },
      { id: 'two-step', connector: twoStepConnector.id, settings: { base_url: twoStepUrl } },
      { id: 'card', connector: anyMethodConnector.id, settings: { base_url: cardUrl } },
    ],
    merchants: [
      {
        key: merchant.key,
        name: 'Loja Exemplo',
        password: merchant.password,
        digest: 'both',
        callbackUrl,
        callbackSecret,
        methods: [
          { key: 'pix', mid: 'pix-main' },
          { key: 'two-step', mid: 'two-step' },
          { key: 'card', mid: 'card' },
        ],
      },
    ],
  };
}
