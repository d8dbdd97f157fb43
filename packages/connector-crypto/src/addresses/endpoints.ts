import { providerApi } from '@railyard/core';
import { addressBody, depositsBody, problemBody } from './replies.ts';
import { type Settings, settings } from './settings.ts';

/** Where the provider's exchanges are written down. */
export const source = 'packages/connector-crypto/README.md, Address provider';

const { endpoint } = providerApi(settings, { source });
const bearer = ({ api_key }: Settings) => ({ authorization: `Bearer ${api_key}` });

export const sampleAddress = {
  id: 'adr_7d0f3a52',
  reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
  address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  asset: 'BTC',
  network: 'bitcoin',
};

export const sampleDeposit = {
  txid: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
  output: 0,
  status: 'confirmed',
  confirmations: 3,
  asset: 'BTC',
  amount: '0.25000000',
  value: { amount: '0.25000000', currency: 'BTC' },
};

const unknownOne = { error: { code: 'not_found', message: 'There is no such address.' } };
const absent = { status: 404, body: problemBody } as const;

export const visible = [
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
];

export interface AddressInput {
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

export const createAddress = endpoint({
  name: 'create-address',
  method: 'POST',
  path: '/v1/addresses',
  repeat: 'keyed',
  request: (input: AddressInput, { settings, key }) => ({
    headers: { ...bearer(settings), 'idempotency-key': key },
    json: { ...input },
  }),
  replies: { created: { status: 201, body: addressBody }, refused: { status: [400, 403, 422], body: problemBody } },
  examples: [
    { is: 'created', status: 201, body: { address: sampleAddress }, source },
    { is: 'refused', status: 422, body: { error: { code: 'asset_off', message: 'Not today.' } }, source },
  ],
  visible,
});

export const findAddress = endpoint({
  name: 'find-address',
  path: '/v1/addresses/reference/{reference}',
  repeat: 'safe',
  request: (reference: string, { settings }) => ({ params: { reference }, headers: bearer(settings) }),
  replies: { found: { status: 200, body: addressBody }, absent },
  examples: [
    { is: 'found', status: 200, body: { address: sampleAddress }, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible,
});

export const listDeposits = endpoint({
  name: 'list-deposits',
  path: '/v1/addresses/{id}/deposits',
  repeat: 'safe',
  request: (id: string, { settings }) => ({ params: { id }, headers: bearer(settings) }),
  replies: { found: { status: 200, body: depositsBody }, absent },
  examples: [
    { is: 'found', status: 200, body: { address: sampleAddress, deposits: [sampleDeposit] }, source },
    { is: 'absent', status: 404, body: unknownOne, source },
  ],
  visible,
});

export const endpoints = [createAddress, findAddress, listDeposits];
