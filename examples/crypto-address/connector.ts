import {
  address,
  call,
  defineConnector,
  providerApi,
  fromDecimal,
  notificationsFor,
  pending,
  type ProviderEvent,
  secret,
  statusTable,
} from '@railyard/core';
import { z } from 'zod';
import { cryptoDeposit } from './methods.ts';

const settings = z.object({
  base_url: z.url(),
  api_key: secret(z.string(), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Webhook secret'),
  confirmations: z.int().min(1).default(2),
});

/** Deposits have no status words; they are events. */
const statuses = statusTable({});

// Replies.

const madeAddress = z.object({ id: z.string(), address: z.string(), network: z.string() });
const deposit = z.object({
  address_id: z.string(),
  txid: z.string(),
  output: z.number(),
  amount: z.string(),
  asset: z.string(),
  confirmations: z.number(),
});

// Endpoints.

const source = 'the provider of this example';
const api = providerApi(settings, {
  source,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
});

const example = { address_id: 'ad-1', txid: 'f00d', output: 0, amount: '0.00400000', asset: 'BTC', confirmations: 1 };

const createAddress = api.endpoint('create-address', 'POST /addresses', {
  repeat: 'keyed',
  request: (input: { asset: string; reference: string; callback: string }, { key }) => ({
    headers: { 'idempotency-key': key },
    json: input,
  }),
  reply: madeAddress,
  examples: [{ body: { id: 'ad-1', address: 'bc1qexample', network: 'bitcoin' } }],
});

const listDeposits = api.endpoint('list-deposits', 'GET /addresses/{id}/deposits', {
  repeat: 'safe',
  request: (id: string) => ({ params: { id } }),
  reply: z.object({ deposits: z.array(deposit) }),
  examples: [{ body: { deposits: [example] } }],
});

// Meaning of replies.

/** One transaction may pay one address with two of its outputs: each is a deposit. */
const eventOf = (
  { address_id, txid, output, amount, asset, confirmations }: z.output<typeof deposit>,
  needed: number,
) =>
  ({
    kind: 'deposit',
    id: `${txid}:${output}`,
    providerReference: address_id,
    amount: fromDecimal(amount, asset),
    confirmed: confirmations >= needed,
  }) satisfies ProviderEvent;

const notifications = notificationsFor(settings)({
  verify: { scheme: 'shared-secret', header: 'x-webhook-secret', value: (settings) => settings.webhook_secret },
  vectors: { none: 'The provider is made up for this example, and no library signs for it.' },
  codec: 'json',
  body: z.object({ deposits: z.array(deposit).min(1) }),
  items: 'deposits.*',
  events: ({ deposits }, { settings }) => deposits.map((each) => eventOf(each, settings.confirmations)),
  examples: [{ body: { deposits: [example] }, source }],
});

// The connector.

export const cryptoConnector = defineConnector({
  id: 'crypto-address',
  contract: 1,
  version: '1.0.0',
  title: 'Crypto addresses',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(cryptoDeposit, {
      *purchase({ payment, urls }) {
        const asset = payment.order.currency;
        const made = yield* call(createAddress, { asset, reference: payment.merchantReference, callback: urls.notify });
        return pending(made.id, address({ address: made.address, asset, network: made.network }));
      },

      *status({ payment, settings }) {
        // Without an address there is nothing that could have been paid.
        if (payment.providerReference === undefined) return { events: [] };
        const { deposits } = yield* call(listDeposits, payment.providerReference);
        return { events: deposits.map((each) => eventOf(each, settings.confirmations)) };
      },
    }),
  ],
});
