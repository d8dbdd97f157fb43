import { bankCollectionConnector, bankGatewayConnector } from '@railyard/connector-bank-transfer';
import { acquirerConnector } from '@railyard/connector-card';
import { addressesConnector } from '@railyard/connector-crypto';
import { instantConnector } from '@railyard/connector-pix';
import { referenceVoucherConnector } from '@railyard/connector-voucher';
import { signedDepositConnector } from '@railyard/connector-wallet';
import * as z from 'zod';
import type { CheckoutConfig } from '../../src/index.ts';
import { merchant, payoutsByHash, testKeyAt } from '../support/pix-config.ts';
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
  /** Below it each bank has the name of its connector, and so have the providers of vouchers and of wallets. */
  banksUrl: z.string(),
  /** Made for the test, which signs with the provider's half. */
  depositKeys: z.object({ private_key: z.string(), provider_certificate: z.string() }),
  callbackUrl: z.string(),
  /** How far its clock is ahead. */
  offsetMs: z.number(),
});

export type Given = z.output<typeof givenSchema>;

export const pixCredentials = { api_key: 'test-api-key', webhook_secret: 'test-webhook-secret' };

export const acquirerCredentials = { api_key: 'test-api-key', webhook_secret: 'a-secret-of-the-notifications' };

export const cryptoCredentials = { api_key: 'test-api-key', webhook_secret: 'test-notification-secret' };

export const collectionCredentials = { api_key: 'test-api-key' };

export const beneficiaryCredentials = { token: 'test-token', signing_secret: 'a-secret-of-the-notifications' };

export const voucherCredentials = { private_key: 'the-private-key', gateway_id: 'gateway-1' };

export const VOUCHER_MID = 'vouchers';

/** One merchant, with a provider of Pix, one whose payments take two calls, an acquirer of cards, a provider of crypto addresses, two of bank transfers, one of vouchers, one of wallets and a hostile one. */
export function crashConfig({
  pixUrl,
  twoStepUrl,
  acquirerUrl,
  cryptoUrl,
  hostileUrl,
  banksUrl,
  depositKeys,
  callbackUrl,
  offsetMs: _offset,
  ...given
}: Given): CheckoutConfig {
  return {
    ...given,
    publicUrl: `http://127.0.0.1:${given.port}`,
    callbackNetwork: 'any',
    // The payer reads their page again at each statement. On a fast machine that is more often than the limit of views allows.
    rateLimits: false,
    connectors: [
      instantConnector,
      twoStepConnector,
      acquirerConnector,
      addressesConnector,
      bankCollectionConnector,
      bankGatewayConnector,
      referenceVoucherConnector,
      signedDepositConnector,
      hostileConnector,
    ],
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
      {
        id: 'collection',
        connector: bankCollectionConnector.id,
        settings: { base_url: `${banksUrl}/${bankCollectionConnector.id}`, ...collectionCredentials },
        defaults: { debin: { merchantType: 'RETAIL', merchantName: 'Loja Exemplo', accountId: 'acc-1' } },
      },
      {
        id: 'beneficiary',
        connector: bankGatewayConnector.id,
        settings: { base_url: `${banksUrl}/${bankGatewayConnector.id}`, ...beneficiaryCredentials },
      },
      {
        id: VOUCHER_MID,
        connector: referenceVoucherConnector.id,
        settings: { base_url: `${banksUrl}/${referenceVoucherConnector.id}`, ...voucherCredentials },
      },
      {
        id: 'deposits',
        connector: signedDepositConnector.id,
        settings: {
          base_url: `${banksUrl}/${signedDepositConnector.id}`,
          partner_ids: { EUR: 'partner-eur' },
          locale: 'hr-HR',
          ...depositKeys,
        },
      },
    ],
    merchants: [
      {
        key: merchant.key,
        testKey: merchant.testKey,
        test: testKeyAt(callbackUrl),
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
          { key: 'debin', mid: 'collection' },
          { key: 'bank-beneficiary', mid: 'beneficiary' },
          { key: 'cash-reference', mid: VOUCHER_MID },
          { key: 'cash-wallet-deposit', mid: 'deposits' },
          { key: 'hostile-late', mid: 'hostile' },
          { key: 'hostile-unauthorized', mid: 'hostile' },
          { key: 'hostile-twice', mid: 'hostile' },
          { key: 'hostile-part', mid: 'hostile' },
          { key: 'hostile-panel', mid: 'hostile' },
          { key: 'hostile-hold', mid: 'hostile' },
        ],
      },
    ],
  };
}
