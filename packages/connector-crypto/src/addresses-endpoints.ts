import { amountFields, field, providerApi, secret, statusTable, withAmount } from '@railyard/core';
import * as z from 'zod';
import { sampleAbsent, sampleAddress, sampleDeposit } from './addresses.samples.ts';
import { coinAmount } from './coin-amount.ts';

export const SOURCE = 'packages/connector-crypto/README.md, Address provider';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
  confirmations: field(z.int().min(1).max(1000).default(2), {
    label: 'Confirmations after which a deposit counts',
    help: 'The provider may ask for more.',
  }),
});

/** Words of a deposit. An address has none: it is watched for ever. */
export const statuses = statusTable({
  seen: 'pending',
  confirmed: 'settled',
  rejected: { declined: 'hard', code: 'declined_by_provider', reason: 'The provider did not take the deposit.' },
});

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['duplicate_reference', 'key_in_use']);

// Replies.

const address = z.object({
  id: z.string().min(1),
  reference: z.string(),
  address: z.string().max(200),
  asset: z.string(),
  network: z.string(),
  /** How much of the asset the price is, exactly; nothing where the payer chooses. */
  amount: coinAmount().optional(),
});

export const worth = withAmount(z.object(amountFields));

/** One output of a transaction. */
export const deposit = z.object({
  txid: z.string().min(1).max(200),
  output: z.int().nonnegative(),
  status: z.string(),
  confirmations: z.int().nonnegative(),
  asset: z.string().max(64),
  /** In the asset, with as many decimals as it has. */
  amount: amountFields.amount,
  /** The same in the currency of the price, at the rate of the moment it was seen. */
  value: worth.nullish(),
});

const addressBody = z.object({ address });
export type Address = z.output<typeof address>;
export type Deposit = z.output<typeof deposit>;

export const depositsBody = z.object({ address, deposits: z.array(deposit) });
const problemBody = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) });

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ authorization: `Bearer ${api_key}` }),
  keyHeader: 'idempotency-key',
  visible: [
    'id',
    'reference',
    'address.id',
    'address.reference',
    'address.asset',
    'address.network',
    'asset',
    'network',
    'price.amount',
    'price.currency',
    'error.code',
  ],
});
export const { endpoints } = api;

interface AddressRequest {
  readonly reference: string;
  readonly asset: string;
  readonly network: string;
  readonly format: 'newer' | 'older';
  readonly account: string | undefined;
  /** Without an amount the payer chooses. */
  readonly price: { readonly amount: string | undefined; readonly currency: string };
  readonly confirmations: number;
  readonly notify_url: string;
}

export const createAddress = api.endpoint('create-address', 'POST /v1/addresses', {
  repeat: 'keyed',
  request: (input: AddressRequest) => ({ json: { ...input } }),
  replies: { created: { status: 201, body: addressBody }, refused: { status: [400, 403, 422], body: problemBody } },
  examples: [
    { is: 'created', status: 201, body: { address: sampleAddress } },
    {
      is: 'created',
      status: 201,
      body: { address: { ...sampleAddress, address: 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn' } },
    },
    { is: 'refused', status: 422, body: { error: { code: 'asset_off', message: 'Not today.' } } },
  ],
});

export const findAddress = api.lookup('find-address', '/v1/addresses/reference/{reference}', {
  found: addressBody,
  absent: problemBody,
  samples: { found: { address: sampleAddress }, absent: sampleAbsent },
});

export const listDeposits = api.lookup('list-deposits', '/v1/addresses/{id}/deposits', {
  found: depositsBody,
  absent: problemBody,
  samples: { found: { address: sampleAddress, deposits: [sampleDeposit] }, absent: sampleAbsent },
});
